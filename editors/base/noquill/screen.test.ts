import { expect, test } from 'vitest';
import { createNoQuillScreen } from './screen.ts';

const BUSY_MS = 40;

function beBusy(): void {
  const untilMs = performance.now() + BUSY_MS;
  while (performance.now() < untilMs);
}

test.each(['text-change', 'editor-change'] as const)(
  'what a binding does with a change, in %s, is over when the change counts as shown',
  async (event) => {
    const screen = createNoQuillScreen(null);
    const shown = new Promise<number>((resolve) => screen.onShown(({ atMs }) => resolve(atMs)));
    screen.editor.on(event as 'text-change', beBusy);
    const sentMs = performance.timeOrigin + performance.now();
    screen.editor.insertText(0, 'x', 'user');
    expect((await shown) - sentMs).toBeGreaterThanOrEqual(BUSY_MS);
  },
);

test('a sigil that stands for a moment, between a change and what the binding makes of it, was shown', async () => {
  const screen = createNoQuillScreen(null);
  const shown = new Promise<readonly string[]>((resolve) => screen.onShown(({ after }) => resolve(after)));
  screen.editor.on('text-change', (_change, _before, source) => {
    if (source === 'user') screen.editor.deleteText(0, 1, 'binding');
  });
  screen.editor.insertText(0, '0a@f3', 'user');
  expect(await shown).toEqual(['0a@f3\n']);
});

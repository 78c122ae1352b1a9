import * as prng from 'lib0/prng';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { findSigils, watchSigils } from '../sigils.ts';
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

/** Pieces of sigils, and some that are alike, so that what is left of one may be the next. */
const PIECES = ['00@01', '01@00', '10@01', '00@0', '0', '1', '@', '01@', 'x', '\n'];

/** A change of several parts, close to each other. */
function closeChange(length: number, below: (end: number) => number): Delta {
  const change = new Delta();
  let left = length - 1;
  for (let part = 1 + below(4); part > 0; part--) {
    const kept = below(Math.min(left, 8) + 1);
    const deleted = below(2) * Math.min(left - kept, 1 + below(4));
    left -= kept + deleted;
    change.retain(kept).delete(deleted);
    if (deleted === 0) change.insert(PIECES[below(PIECES.length)]!);
  }
  return change;
}

/** Those of a list that another lacks, as often as it lacks them, in order. */
function lackedBy(other: readonly string[], list: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

test('each sigil that a change brings or takes is told once, however close its parts are', async () => {
  const generator = prng.create(1);
  for (let round = 0; round < 12; round++) {
    const screen = createNoQuillScreen(null);
    const [shown, gone] = [[] as string[], [] as string[]];
    watchSigils(
      screen,
      (sigil) => shown.push(sigil),
      (sigil) => gone.push(sigil),
    );
    for (let changes = 0; changes < 40; changes++) {
      const before = findSigils(screen.editor.getText());
      const change = closeChange(screen.editor.getLength(), (end) => prng.int32(generator, 0, end - 1));
      screen.editor.updateContents(change, 'api');
      const after = findSigils(screen.editor.getText());
      await new Promise((resolve) => setTimeout(resolve));
      expect([shown.splice(0).sort(), gone.splice(0).sort()]).toEqual([
        lackedBy(before, after).sort(),
        lackedBy(after, before).sort(),
      ]);
    }
  }
});

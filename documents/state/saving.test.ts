import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineDocument } from '../engines/engine.ts';
import { loadEngine, ownEngineNames } from '../engines/load.ts';
import { changedSaves } from './saving.ts';

// The clock stands still but for what takes time here.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const EDIT_MS = 100;
const ENCODE_MS = 5;

/** Keeps what it encoded, until it changes. */
function cachingDocument(): EngineDocument {
  let text = 'abc';
  let kept: Uint8Array | null = null;
  return {
    edit(position, deleted, inserted) {
      vi.advanceTimersByTime(EDIT_MS);
      text = text.slice(0, position) + inserted + text.slice(position + deleted);
      kept = null;
    },
    text: () => text,
    save() {
      if (kept === null) vi.advanceTimersByTime(ENCODE_MS);
      kept ??= Buffer.from(text);
      return [{ name: 'text', history: false, bytes: kept }];
    },
  };
}

test('each timed save is of a document that has changed, and the change is not timed', () => {
  const document = cachingDocument();
  document.save!();
  const save = changedSaves(document, 'text', 3);
  expect([save(), save(), save(), save()]).toEqual([ENCODE_MS, ENCODE_MS, ENCODE_MS, ENCODE_MS]);
  expect(document.text()).toBe('abc');
});

test.each(await ownEngineNames())('%s holds the same text after every second save', async (name) => {
  const document = await (await loadEngine(name)).open({ identity: 0.3, updates: false });
  const [encoding] = document.save?.() ?? [];
  if (encoding === undefined) return;
  document.edit(0, 0, 'héllo');
  const save = changedSaves(document, encoding.name, 5);
  save();
  expect(document.text()).toBe('héllox');
  save();
  expect(document.text()).toBe('héllo');
  document.free?.();
});

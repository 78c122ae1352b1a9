import { expect, test } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import type { Engine } from '../engines/engine.ts';
import { toldIn } from '../test-data/told-in.ts';
import { inOrderOf, type Side } from '../turns.ts';
import type { Edits } from './edits.ts';
import { EDITS_PER_TURN, replayInTurns } from './in-turns.ts';

const COUNT = 1000;
const EDITS: Edits = {
  positions: new Uint32Array(COUNT),
  deleted: new Uint32Array(COUNT),
  inserted: Array.from({ length: COUNT }, (_, index) => String(index % 10)),
  ...{ count: COUNT, repeat: 1, endContent: '9876543210'.repeat(COUNT / 10) },
};
const TASK = { engines: [], edits: '', identities: [0.3, 0.7], limitMs: 10_000, remoteMs: 20 };

interface Watched {
  /** Called at each edit, and at each update of another. */
  onWork?(): void;
  /** Its replicas lose this text. */
  loses?: string;
}

/** Only holds text; its updates are what was inserted. */
function textEngine({ onWork, loses }: Watched = {}): Engine {
  const open = (text = '') => {
    let last = new Uint8Array();
    return {
      edit(position: number, deleted: number, inserted: string) {
        onWork?.();
        text = text.slice(0, position) + inserted + text.slice(position + deleted);
        last = Buffer.from(inserted);
      },
      text: () => text,
      takeUpdate: () => last,
      receive(updates: readonly Uint8Array[]) {
        for (const update of updates) {
          onWork?.();
          const inserted = Buffer.from(update).toString();
          if (inserted !== loses) text = inserted + text;
        }
      },
      save: () => [{ name: 'text', history: false, bytes: Buffer.from(text) }],
    };
  };
  return {
    about: { package: null, algorithm: 'none', licence: 'none', kind: 'baseline' },
    open: () => open(),
    load: (bytes) => open(Buffer.from(bytes).toString()),
  };
}

function linesOf(sides: readonly Side[], name: string): RecordLine[] {
  return sides.find((side) => side.name === name)!.lines;
}

function figuresOf(sides: readonly Side[], name: string): Record<string, number> {
  return toldIn(linesOf(sides, name)).figures;
}

test('engines make the same edits by short turns, and who goes first changes', async () => {
  const worked: string[] = [];
  const named = (name: string) => textEngine({ onWork: () => worked.push(name) });
  const sides = await replayInTurns(
    new Map([
      ['one', named('one')],
      ['other', named('other')],
    ]),
    EDITS,
    TASK,
  );
  const turns: { name: string; length: number }[] = [];
  for (const name of worked) {
    if (turns.at(-1)?.name === name) turns.at(-1)!.length++;
    else turns.push({ name, length: 1 });
  }
  // The last of one pair may come first in the next.
  expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(2 * EDITS_PER_TURN);
  expect(worked.filter((name) => name === 'one')).toHaveLength(worked.length / 2);
  const [one, other] = ['one', 'other'].map((name) => figuresOf(sides, name));
  expect(one).toMatchObject({ updatesKiB: COUNT / 1024, savedKiB: COUNT / 1024 });
  for (const same of ['remoteEdits', 'remoteBatchedEdits']) {
    expect(one![same]).toBe(other![same]);
    expect(one![same]).toBeGreaterThan(0);
  }
  expect(Object.keys(one!)).toEqual([
    ...[
      'applyMs',
      'editsPerSecond',
      'updatesKiB',
      'remoteEditsPerSecond',
      'remoteEdits',
      'remoteBatchedEditsPerSecond',
    ],
    ...['remoteBatchedEdits', 'savedKiB', 'loadWarmMs'],
  ]);
});

test('subjects change places with each trial', () => {
  const places = [0, 1, 2, 3].map((trial) => inOrderOf(['base', 'new'], trial)[0]);
  expect(places).toEqual(['base', 'new', 'base', 'new']);
});

test('one engine’s failure is its own', async () => {
  const sides = await replayInTurns(
    new Map([
      ['right', textEngine()],
      ['wrong', textEngine({ loses: '7' })],
    ]),
    EDITS,
    TASK,
  );
  expect(linesOf(sides, 'wrong')).toContainEqual(expect.objectContaining({ type: 'failure', code: 'wrong-content' }));
  expect(linesOf(sides, 'right').every(({ type }) => type === 'figure')).toBe(true);
  expect(figuresOf(sides, 'right')).toHaveProperty('loadWarmMs');
  expect(figuresOf(sides, 'wrong')).not.toHaveProperty('remoteEditsPerSecond');
});

test('an engine that takes too long is slower, not out: both are measured on the edits that it made', async () => {
  const idle = () => {
    const endMs = performance.now() + 0.1;
    while (performance.now() < endMs);
  };
  const both = new Map([
    ['slow', textEngine({ onWork: idle })],
    ['quick', textEngine()],
  ]);
  const sides = await replayInTurns(both, EDITS, { ...TASK, limitMs: 40 });
  const [slow, quick] = ['slow', 'quick'].map((name) => figuresOf(sides, name));
  expect(slow!.applyMs).toBeGreaterThan(40);
  expect(quick!.applyMs).toBeLessThan(slow!.applyMs! / 2);
  expect(quick).toMatchObject({ remoteEdits: slow!.remoteEdits, savedKiB: slow!.savedKiB });
  expect(slow!.savedKiB).toBeLessThan(COUNT / 1024);
  const note = /^the slowest had made \d+ of 1000 edits after 0.04 s, .*; they took slow 0\.\d+ s, quick 0\.\d+ s$/;
  for (const name of ['slow', 'quick']) {
    expect(linesOf(sides, name)).toContainEqual({ type: 'note', code: 'cut', message: expect.stringMatching(note) });
  }
});

test('the thread is let go after a stretch of edits, as in a replay of one engine', async () => {
  let worked = 0;
  let whenFree: number | null = null;
  const watched = textEngine({
    onWork() {
      // The first edit of all begins the time.
      if (worked++ === 0) setImmediate(() => (whenFree ??= worked));
    },
  });
  await replayInTurns(new Map([['one', watched]]), EDITS, TASK);
  expect(whenFree).toBe(COUNT);
});

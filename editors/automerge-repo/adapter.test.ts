import * as Automerge from '@automerge/automerge';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type RichText, SEED } from '../automerge/rich-text.ts';
import { BatchingAdapter, mergeSyncMessages } from './adapter.ts';

describe('sync messages as one', () => {
  type Side = { document: Automerge.Doc<RichText>; state: Automerge.SyncState };
  const side = (): Side => ({ document: Automerge.load<RichText>(SEED), state: Automerge.initSyncState() });
  const write = (at: Side) => {
    const [state, message] = Automerge.generateSyncMessage(at.document, at.state);
    at.state = state;
    return message === null ? [] : [message];
  };
  const read = (at: Side, message: Uint8Array) => {
    [at.document, at.state] = Automerge.receiveSyncMessage(at.document, at.state, message);
  };
  const edit = (at: Side) => {
    at.document = Automerge.change(at.document, (draft) => Automerge.splice(draft, ['text'], 0, 0, 'x'));
  };

  test('bring two documents into step, whatever comes together', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ right: fc.boolean(), edits: fc.nat(2), reads: fc.boolean() })), (rounds) => {
        const sides = [side(), side()] as const;
        const inboxes: [Uint8Array[], Uint8Array[]] = [[], []];
        const turn = (index: 0 | 1, edits: number, reads: boolean) => {
          const own = sides[index];
          for (let count = 0; count < edits; count++) edit(own);
          if (reads && inboxes[index].length > 0) read(own, mergeSyncMessages(inboxes[index].splice(0)));
          inboxes[index === 0 ? 1 : 0].push(...write(own));
        };
        for (const { right, edits, reads } of rounds) turn(right ? 1 : 0, edits, reads);
        // Two messages each way are enough from any state; a wrong Bloom filter may cost one more round.
        for (let round = 0; round < 6; round++) {
          turn(0, 0, true);
          turn(1, 0, true);
        }
        expect(Automerge.getHeads(sides[0].document)).toEqual(Automerge.getHeads(sides[1].document));
        expect(inboxes).toEqual([[], []]);
      }),
      { numRuns: 50 },
    );
  });
});

test('what waits in a receive batch as the line breaks is taken in: the server sends it only once', async () => {
  vi.useFakeTimers();
  try {
    const adapter = new BatchingAdapter({ url: 'ws://nowhere', batching: { receiveMs: 1000, sendMs: 0 } });
    adapter.connected.catch(() => {});
    const told: string[] = [];
    adapter.on('message', ({ type }) => told.push(type));
    adapter.watcher = { onConnected() {}, onReceived() {}, onBroken: () => told.push('broken') };
    const data = new Uint8Array([1]);
    adapter.emit('message', { type: 'sync', senderId: 'a', targetId: 'b', documentId: 'c', data } as never);
    expect(told).toEqual([]);
    (adapter.onClose as (event: { code: number }) => void)({ code: 1006 });
    expect(told).toEqual(['sync', 'broken']);
  } finally {
    vi.useRealTimers();
  }
});

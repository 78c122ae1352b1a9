import * as Automerge from '@automerge/automerge';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RichText, SEED } from '../automerge/rich-text.ts';
import { RECONNECT_LIMIT_MS } from '../base/binding/reconnecting.ts';
import { followConnection } from './reconnection.ts';

/** How a connection ends of which nothing is known but that it did. */
const CLOSED_ABNORMALLY = 1006;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The rest of what becomes of a connection is `watchConnection`'s, and tested there. */
function watched() {
  const document = Automerge.load<RichText>(SEED);
  const onLost = vi.fn<(reason: string) => void>();
  const onReconnected = vi.fn<() => void>();
  const told = { onLost, onReconnected, giveUp: () => {} };
  return { onLost, onReconnected, document, ...followConnection({ document: () => document, ...told }) };
}

describe('a connection', () => {
  test('that is back and hears nothing, since nobody lacks anything, is not lost', async () => {
    const { watcher, onLost, onReconnected } = watched();
    watcher.onBroken(CLOSED_ABNORMALLY);
    watcher.onConnected();
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS);
    expect(onReconnected).toHaveBeenCalledOnce();
    expect(onLost).not.toHaveBeenCalled();
  });

  test('that does not come back in time is lost', async () => {
    const { watcher, onLost, onReconnected } = watched();
    watcher.onBroken(CLOSED_ABNORMALLY);
    watcher.onConnected();
    watcher.onBroken(CLOSED_ABNORMALLY);
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS);
    expect(onReconnected).not.toHaveBeenCalled();
    expect(onLost.mock.calls.map(([reason]) => reason)).toEqual([
      expect.stringContaining('the user was not back within 10 s'),
    ]);
  });

  test('that comes back in time has its whole time again at the next break', async () => {
    const { watcher, onLost, onReconnected, document } = watched();
    for (let breaks = 1; breaks <= 3; breaks++) {
      watcher.onBroken(CLOSED_ABNORMALLY);
      await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS - 1000);
      watcher.onConnected();
      const [, answer] = Automerge.generateSyncMessage(document, Automerge.initSyncState());
      watcher.onReceived(answer!);
      await vi.advanceTimersByTimeAsync(1);
      expect(onReconnected).toHaveBeenCalledTimes(breaks);
    }
    expect(onLost).not.toHaveBeenCalled();
  });
});

/** Presence: names and cursors of other users, by the library's own means. */
import { isDeepStrictEqual } from 'node:util';
import { type Check, judge, type Outcome } from './outcome.ts';

export interface Presence {
  name: string;
  cursor: number;
}

export interface PresenceStage {
  /** The user who comes, moves the cursor and goes. */
  ada: { show(presence: Presence): void; leave(): void };
  /** The users that the other one sees. */
  seenByBen(): Presence[];
  /** The document as it is saved. */
  saved(): Uint8Array;
  close?(): void | Promise<void>;
}

/** Far longer than any of them takes, in memory. */
const LIMIT_MS = 3000;
const POLL_MS = 5;
/** People do not move faster; a library may tell what is newer by a clock of milliseconds. */
const BETWEEN_MS = 20;
/** Would be found in a saved document if it were in it. */
const NAME = 'Ada Lovelace';

export async function showsPresence(
  open: () => PresenceStage | Promise<PresenceStage>,
  more: readonly Check[] = [],
): Promise<Outcome> {
  const { ada, seenByBen, saved, close } = await open();
  try {
    ada.show({ name: NAME, cursor: 1 });
    const comes = await until(() => isDeepStrictEqual(seenByBen(), [{ name: NAME, cursor: 1 }]));
    await pause(BETWEEN_MS);
    ada.show({ name: NAME, cursor: 5 });
    const moves = await until(() => isDeepStrictEqual(seenByBen(), [{ name: NAME, cursor: 5 }]));
    const isKept = Buffer.from(saved()).includes(NAME);
    await pause(BETWEEN_MS);
    ada.leave();
    const goes = await until(() => seenByBen().length === 0);
    return judge([
      { holds: comes, otherwise: 'who comes is not seen' },
      { holds: moves, otherwise: 'a cursor that moves is not seen' },
      { holds: goes, otherwise: 'who leaves is still seen' },
      { holds: !isKept, otherwise: 'a document that is saved meanwhile holds who was there' },
      ...more,
    ]);
  } finally {
    await close?.();
  }
}

async function until(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + LIMIT_MS;
  while (!condition()) {
    if (performance.now() > end) return false;
    await pause(POLL_MS);
  }
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

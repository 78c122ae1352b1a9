/** How a server that somebody else runs turns its user away, which is no failure of the framework. */
import type { TurnedAwayAs } from '../../editors/base/framework.ts';
import type { Ending } from '../../infra/network/line-target.ts';
import { isForSilence, isOrdinary, type Refusal, refusalOf, sayRefusal } from '../attached/refusals.ts';
import type { Blamed } from '../trial/protocol.ts';
import { ClientFailure } from './editor-driver.ts';

export class TurnedAway {
  readonly #tell: (refusal: Refusal) => void;
  #hasJoined = false;
  /** How the server ended the last connection, from which the client has not come back yet. */
  #away: Refusal | null = null;

  /** @param tell gets each refusal, as a sentence with what to change */
  constructor(tell: (message: string, by: Blamed) => void) {
    this.#tell = (refusal) => tell(sayRefusal(refusal), refusal.kind === 'read-only' ? 'read-only' : 'foreign');
  }

  /** Hears how the server ended a connection, or would not have it. */
  ended(ending: Ending): void {
    const refusal = refusalOf(ending);
    // Clients come back from an ordinary end, and from their own silence, and wait for a server that is away for a while.
    const isForAWhile = refusal.kind === 'unavailable' || isForSilence(ending);
    const mayComeBack = isOrdinary(ending) || (isForAWhile && this.#hasJoined);
    if (mayComeBack) this.#away = refusal;
    else this.#tell(refusal);
  }

  /** @throws the client's failure to join as the server's doing, any other error as it is */
  async joined(joining: Promise<void>): Promise<void> {
    await joining.catch((error: Error) => {
      if (!(error instanceof ClientFailure)) throw error;
      const refusal = { kind: 'not let in', seen: `did not let it in: ${error.message}` } as const;
      throw new ClientFailure(new Error(sayRefusal(refusal)), 'foreign');
    });
    this.#hasJoined = true;
    this.back();
  }

  back(): void {
    this.#away = null;
  }

  /** @returns true if that the client gave up is the server's doing, which is told then */
  explains(why: string, how?: TurnedAwayAs): boolean {
    const kind = how === undefined || how === 'refused' ? 'not let in' : how;
    const refusal = how === undefined ? this.#away : ({ kind, seen: `turned it away: ${why}` } as const);
    if (refusal !== null) this.#tell(refusal);
    return refusal !== null;
  }
}

/** Events of a running trial from its records as they arrive, on the coordinator's clock: sigils are paired with their showings. */
import { DRIFT_RATE } from '../../analysis/views/definitions.ts';
import { parseSigil } from '../../editors/base/sigils.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';

export type LiveEvent =
  | { type: 'typing'; atMs: number; offered: number; performed: number }
  /** A sigil showed: on its sender's own screen, or on another's. */
  | { type: 'latency'; sigil: string; isOwn: boolean; sentMs: number; shownMs: number };

type Latency = Extract<LiveEvent, { type: 'latency' }>;

/** A sigil that has not shown by then shows nothing of now. */
const SIGIL_LIMIT_MS = 120_000;

interface SentSigil {
  sentMs: number;
  /** Users whose screens showed it. A sigil that others' edits break and mend shows again, which is no latency. */
  shownTo: Set<number | null>;
}

/** One for each trial. */
export class LiveEvents {
  readonly #clockOf = new Map<number | null, RecordOf<'clock'>>();
  readonly #sent = new Map<string, SentSigil>();
  /** Showings whose sending is not known yet: the sender's record comes on another connection. */
  readonly #early = new Map<string, { user: number | null; shownMs: number }[]>();

  /** How many sigils are kept; for tests of long sessions. */
  get kept(): number {
    return this.#sent.size + this.#early.size;
  }

  /** @param user the number of the user whose record the line is of, null for the server's */
  take(user: number | null, line: RecordLine): LiveEvent[] {
    const offsetMs = this.#clockOf.get(user)?.offsetMs ?? 0;
    switch (line.type) {
      case 'clock':
        this.#clockOf.set(user, betterClock(this.#clockOf.get(user), line));
        return [];
      case 'typing':
        return [{ type: 'typing', atMs: line.atMs + offsetMs, offered: line.offered, performed: line.performed }];
      case 'sigil-sent':
        return this.#takeSent(line.sigil, line.sentMs + offsetMs);
      case 'sigil-shown':
        return this.#takeShown(line.sigil, user, line.shownMs + offsetMs);
      default:
        return [];
    }
  }

  #takeSent(sigil: string, sentMs: number): LiveEvent[] {
    this.#forgetBefore(sentMs - SIGIL_LIMIT_MS);
    const sent: SentSigil = { sentMs, shownTo: new Set() };
    this.#sent.set(sigil, sent);
    const waiting = this.#early.get(sigil) ?? [];
    this.#early.delete(sigil);
    return waiting.flatMap(({ user, shownMs }) => firstShowing(sigil, sent, user, shownMs));
  }

  #takeShown(sigil: string, user: number | null, shownMs: number): LiveEvent[] {
    const sent = this.#sent.get(sigil);
    if (sent !== undefined) return firstShowing(sigil, sent, user, shownMs);
    const waiting = this.#early.get(sigil) ?? [];
    waiting.push({ user, shownMs });
    this.#early.set(sigil, waiting);
    return [];
  }

  /** A map's entries come in the order in which they were made, which is nearly that of their times. */
  #forgetBefore(atMs: number): void {
    for (const [sigil, { sentMs }] of this.#sent) {
      if (sentMs >= atMs) break;
      this.#sent.delete(sigil);
    }
    for (const [sigil, [first]] of this.#early) {
      if (first!.shownMs >= atMs) break;
      this.#early.delete(sigil);
    }
  }
}

/** One; none if it showed there before, or other text happened to read so: nothing shows on one's own screen before it is typed. */
function firstShowing(sigil: string, { sentMs, shownTo }: SentSigil, user: number | null, shownMs: number): Latency[] {
  const isOwn = parseSigil(sigil)?.user === user;
  if (shownTo.has(user) || (isOwn && shownMs < sentMs)) return [];
  shownTo.add(user);
  return [{ type: 'latency', sigil, isOwn, sentMs, shownMs }];
}

/** The newer measurement of a clock, unless it is so poor that the older one, with what has drifted since, tells more. */
function betterClock(older: RecordOf<'clock'> | undefined, newer: RecordOf<'clock'>): RecordOf<'clock'> {
  if (older === undefined) return newer;
  return newer.errorMs <= older.errorMs + DRIFT_RATE * (newer.atMs - older.atMs) ? newer : older;
}

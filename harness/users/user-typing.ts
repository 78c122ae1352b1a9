/** One user's typing, by its assignment: a person's or an agent's, with looks around if others see its cursor. Keeps account of it. */
import { textHash } from '../../editors/base/instrument/ledger.ts';
import { SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import { realTimer } from '../../infra/clock.ts';
import { piecesOf } from '../../traces/prose.ts';
import type { ControlConnection } from '../trial/control-connection.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { EditorDriver } from './editor-driver.ts';
import { agentTyping } from './typing/agent.ts';
import { createLooks } from './typing/looks.ts';
import { makeSchedule, type TypingEvents, typeOnSchedule } from './typing/schedule.ts';
import { TypingLog } from './typing/typing-log.ts';
import { createTypist, sigilOf, sizeOf, textOf } from './typing/typist.ts';
import type { UserClock } from './user-clock.ts';

interface UserTypingOptions {
  driver: Pick<EditorDriver, 'perform' | 'longestMove'>;
  control: Pick<ControlConnection, 'ended' | 'record'>;
  clock: Pick<UserClock, 'fromCoordinatorMs' | 'toScreenMs'>;
}

export class UserTyping {
  readonly #options: UserTypingOptions;
  #isUnderWay = false;
  /** The length of all that it put in, in UTF-16 units, and the hash of that (`textHash`). */
  #typed = { characters: 0, hash: 0 };

  constructor(options: UserTypingOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  get typed(): Readonly<{ characters: number; hash: number }> {
    return this.#typed;
  }

  /** Puts in the text that the document begins with. */
  async putIn(text: string): Promise<void> {
    this.#count(text);
    for (const piece of piecesOf(text)) {
      await this.#options.driver.perform({ kind: 'paste', move: 0, text: piece });
    }
  }

  async typeMarker(marker: string): Promise<void> {
    this.#count(marker);
    for (const [index, text] of [...marker].entries()) {
      const last = index === SIGIL_LENGTH - 1;
      await this.#options.driver.perform({ kind: 'sigil-key', text, sigil: marker, last });
    }
  }

  /** @param go instants on the coordinator's clock; timers run on this process's, the record is on the screen's */
  async type(assignment: Assignment, go: { startMs: number; endMs: number }): Promise<void> {
    const { driver, control, clock } = this.#options;
    const startMs = clock.fromCoordinatorMs(go.startMs);
    const log = new TypingLog(startMs, (line) => control.record({ ...line, atMs: clock.toScreenMs(line.atMs) }));
    this.#isUnderWay = true;
    try {
      await typeOnSchedule({
        ...typingOf(assignment, driver.longestMove),
        startMs,
        endMs: clock.fromCoordinatorMs(go.endMs),
        perform: (action) => driver.perform(action),
        timer: realTimer,
        signal: control.ended,
        events: this.#eventsFor(log),
      });
    } finally {
      log.finish();
      this.#isUnderWay = false;
    }
  }

  #eventsFor(log: TypingLog): TypingEvents {
    const { control, clock } = this.#options;
    return {
      onTyped: ({ action, dueMs, sentMs, driverLagMs, isDone }) => {
        log.typed({ dueMs, sentMs, driverLagMs, isFormat: action.kind.includes('format'), size: sizeOf(action) });
        this.#count(textOf(action));
        const sent = isDone ? sigilOf(action) : null;
        if (sent === null) return;
        control.record({ ...sent, dueMs: clock.toScreenMs(dueMs), sentMs: clock.toScreenMs(sentMs) });
      },
      onSkipped: (skipped) => log.skipped(skipped),
    };
  }

  #count(text: string): void {
    this.#typed.characters += text.length;
    this.#typed.hash += textHash(text);
  }
}

function typingOf(assignment: Assignment, longestMove: number | undefined) {
  const { user, users, seed, typing, edits, agent, presence } = assignment;
  if (agent !== undefined) return agentTyping(agent, assignment);
  return {
    schedule: makeSchedule({ ...typing, user, users, seed }),
    typist: createTypist({ ...typing, user, seed, edits, longestMove }),
    nextLook: presence && createLooks({ user, seed, odds: typing.cursorMoves / 2 }),
  };
}

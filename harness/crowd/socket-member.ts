/**
 * A member of a trial that is sockets: they say what the library's client would, and hold no document. It follows the coordinator's
 * orders as a live user does. What the sockets say, each kind of member knows: played users (`played-user.ts`), readers
 * (`../audience/audience.ts`).
 */
import { getPriority } from 'node:os';
import { nowMs } from '../../infra/clock.ts';
import { type RecordLine, type RecordOf, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { processMemoryBytes } from '../probes/process-tree.ts';
import { ownCpuMs } from '../probes/this-process.ts';
import type { Order } from '../trial/control-connection.ts';
import type { Assignment, Blamed } from '../trial/protocol.ts';
import type { OrderOf, UserControl } from '../users/user.ts';
import { createUserClock, type UserClock } from '../users/user-clock.ts';
import type { PlayedSocket } from './played-socket.ts';

/** How often it records what came. */
const RECORD_PERIOD_MS = 1000;
const SAMPLE_PERIOD_MS = 2000;

export interface SocketMemberOptions {
  control: UserControl;
  frameworkVersion: string;
}

export abstract class SocketMember {
  protected readonly control: UserControl;
  protected readonly sockets: PlayedSocket[] = [];
  readonly #frameworkVersion: string;
  readonly #clock: UserClock;
  readonly #timers: NodeJS.Timeout[] = [];
  #recorder: NodeJS.Timeout | undefined;
  #assignment: Assignment | null = null;

  constructor({ control, frameworkVersion }: SocketMemberOptions) {
    this.control = control;
    this.#frameworkVersion = frameworkVersion;
    this.#clock = createUserClock({ control });
  }

  /** Opens its sockets, and says what clients say to join. @returns what the first line of its record tells of it */
  protected abstract open(assignment: Assignment): Promise<Pick<RecordOf<'process'>, 'mode' | 'leastDelayMs'>>;
  /** Does its part of the trial. @param startMs when typing starts, on this process's clock */
  protected abstract begin(startMs: number, typingMs: number): void;
  /** Traffic so far, as a line of its record. */
  protected abstract soFar(): RecordLine;
  /** How many users this process has, if this member records what it takes; null: another does. */
  protected abstract get usersHere(): number | null;
  /** Further lines at the end, and what it typed. */
  protected lastWords(_atMs: number): { lines: RecordLine[]; insertedCharacters: number; deletedCharacters: number } {
    return { lines: [], insertedCharacters: 0, deletedCharacters: 0 };
  }

  async follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void> {
    if (order.type === 'assignment') return this.#join(order.assignment);
    if (order.type === 'go') return this.#go(order);
    if (order.type === 'collect') return this.#handIn();
    throw new Error(`a member that is sockets cannot follow the order "${order.type}"`);
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer);
    clearInterval(this.#recorder);
    this.#clock.stop();
    for (const socket of this.sockets) socket.close();
  }

  protected get assignment(): Assignment {
    if (this.#assignment === null) throw new Error('an order came before the assignment');
    return this.#assignment;
  }

  /** Does it so often, until the end. */
  protected every(periodMs: number, work: () => void): void {
    this.#timers.push(setInterval(work, periodMs));
  }

  /** A socket did not open, or its connection ended. */
  protected lost(reason: string): void {
    this.fail(reason, 'framework');
  }

  protected fail(message: string, by?: Blamed): void {
    this.control.send({ type: 'failed', message, ...(by && { by }) });
  }

  async #join(assignment: Assignment): Promise<void> {
    this.#assignment = assignment;
    try {
      const { user, framework } = assignment;
      const who = { role: 'user', user, framework, frameworkVersion: this.#frameworkVersion } as const;
      const kind = await this.open(assignment);
      const where = { node: process.version, chrome: null, nice: getPriority(), atMs: nowMs() };
      this.control.record({ type: 'process', schemaVersion: SCHEMA_VERSION, ...who, ...kind, ...where });
    } catch (error) {
      return this.lost(messageOf(error));
    }
    await this.#clock.measure();
    // Its openings must be read before anyone types, as a live user's is.
    await Promise.all(this.sockets.map((socket) => socket.ping()));
    this.control.send({ type: 'ready' });
  }

  #go({ startMs, endMs, memoryAtMs }: OrderOf<'go'>): void {
    const { assignment } = this;
    this.begin(this.#clock.fromCoordinatorMs(startMs), endMs - startMs);
    this.#recorder = setInterval(() => this.control.record(this.soFar()), RECORD_PERIOD_MS);
    this.#clock.keepMeasuring(assignment, (error) => this.fail(`its clock: ${error.message}`));
    if (this.usersHere !== null) this.#sample(this.usersHere, this.#clock.fromCoordinatorMs(memoryAtMs));
  }

  /** Records what this process takes. @param memoryAtMs when memory is read, once, as of all processes of users */
  #sample(users: number, memoryAtMs: number): void {
    const of = { type: 'resources', of: 'crowd', host: 'crowd', users, cores: null } as const;
    let memoryDone = false;
    this.every(SAMPLE_PERIOD_MS, async () => {
      const atMs = nowMs();
      const readMemory = !memoryDone && atMs >= memoryAtMs;
      memoryDone ||= readMemory;
      const memoryBytes = readMemory ? await processMemoryBytes(process.pid) : null;
      this.control.record({ ...of, atMs, cpuMs: ownCpuMs(), memoryBytes });
    });
  }

  async #handIn(): Promise<void> {
    clearInterval(this.#recorder);
    this.#clock.stop();
    await this.#clock.measure();
    const atMs = nowMs();
    const { lines, insertedCharacters, deletedCharacters } = this.lastWords(atMs);
    const typed = { insertedCharacters, deletedCharacters, typedCharacters: insertedCharacters };
    this.control.record(this.soFar(), ...lines, { type: 'settled', atMs, ...UNSEEN, ...typed });
    this.control.flush();
    this.control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
  }
}

/** It holds no document. */
export const UNSEEN = {
  modelDigest: null,
  shownModelDigest: null,
  editorDigest: null,
  editorTextDigest: null,
  screenTextDigest: null,
  characters: null,
  savedStateBytes: null,
  quillStateBytes: null,
};

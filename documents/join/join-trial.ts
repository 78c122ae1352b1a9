/** One trial: documents are filled, users type into them, and newcomers join one after another. */
import { setTimeout } from 'node:timers/promises';
import { makeSigil } from '../../editors/base/sigils.ts';
import { memoryBytesOf } from '../../harness/probes/process-tree.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import { SubjectFailure } from '../scenario.ts';
import { PREPARE_LIMIT_MS, prepared, TrialProcesses, withLimit } from '../trial-processes.ts';
import type { JoinExperiment } from './cells.ts';
import { cpuMsBetween, type Joined, linesOf, loadPercentsOf } from './figures.ts';
import type { HeldDocument } from './held-document.ts';
import type { JoinMarks } from './page/newcomer.ts';
import { type JoinProcesses, type ProcessesOptions, startProcesses } from './processes.ts';

/** How long a page may take until it is ready for a join; a loaded machine needs seconds. */
const PAGE_LIMIT_MS = 30_000;
/** How long all type and nobody joins, for what that takes of the server. */
const LOAD_WINDOW_MS = 5000;
/** How long a newcomer and who typed may take to hold the same once nobody types. */
const SETTLE_LIMIT_MS = 10_000;
const SETTLE_POLL_MS = 50;

export type JoinTrialOptions = ProcessesOptions &
  Pick<JoinExperiment, 'typists' | 'keysPerSecond' | 'joins' | 'limitMs'>;

/**
 * @returns the lines of its record
 * @throws SubjectFailure if the framework did not do its task; all processes have ended then
 */
export async function measureJoins(options: JoinTrialOptions): Promise<RecordLine[]> {
  const trial = new TrialProcesses(options);
  return trial.during(async () => new JoinTrial(options, await startProcesses(options, trial)).measure());
}

class JoinTrial {
  readonly #options: JoinTrialOptions;
  readonly #processes: JoinProcesses;
  readonly #pageErrors: string[] = [];

  constructor(options: JoinTrialOptions, processes: JoinProcesses) {
    this.#options = options;
    this.#processes = processes;
  }

  async measure(): Promise<RecordLine[]> {
    const { joins: count, documents, typists, keysPerSecond } = this.#options;
    await this.#fill();
    await Promise.all(this.#processes.writers.map((writers) => writers.call('type', typists, keysPerSecond)));
    const loadPercents = documents > 1 && typists > 0 ? await this.#loadWhileTyping() : null;
    // One that does not count: the first meets a server and a Chrome that have never done this.
    await this.#join(0);
    const joins: Joined[] = [];
    for (let number = 1; number <= count; number++) joins.push(await this.#join(number));
    const serverMemoryBytes = await memoryBytesOf(this.#processes.serverPids());
    return linesOf({ joins, loadPercents, serverMemoryBytes, keys: await this.#keys(), pageErrors: this.#pageErrors });
  }

  async #fill(): Promise<void> {
    const { typists } = this.#options;
    const filling = this.#processes.writers.map((writers) => writers.call('fill', PREPARE_LIMIT_MS, typists));
    await prepared(Promise.all(filling), 2 * PREPARE_LIMIT_MS);
  }

  async #loadWhileTyping(): Promise<number[] | null> {
    const before = await this.#processes.serverCpuMs();
    const startMs = performance.now();
    await setTimeout(LOAD_WINDOW_MS, undefined, { signal: this.#processes.signal });
    const after = await this.#processes.serverCpuMs();
    return loadPercentsOf({ before, after, passedMs: performance.now() - startMs });
  }

  async #join(number: number): Promise<Joined> {
    const { documents, limitMs } = this.#options;
    const { newcomer } = this.#processes;
    const document = Math.floor(goldenFraction(number) * documents);
    // It tells nothing of the time that joining takes, so further trials are not as hopeless.
    const unready = () => new SubjectFailure('never-ready', `its page was not ready after ${PAGE_LIMIT_MS / 1000} s`);
    await withLimit(newcomer.call('open', this.#processes.rehearsalOf(document)), PAGE_LIMIT_MS, unready);
    const before = documents === 1 ? await this.#processes.serverCpuMs() : null;
    const marks = await withLimit(this.#untilCaughtUp(number, document), limitMs, () => this.#late());
    const serverCpuMs = before && cpuMsBetween(before, await this.#processes.serverCpuMs());
    await this.#requireSame(document);
    this.#pageErrors.push(...(await newcomer.call('close')));
    return { marks, serverCpuMs };
  }

  async #untilCaughtUp(number: number, document: number): Promise<JoinMarks> {
    const { newcomer } = this.#processes;
    const writers = this.#processes.writersOf(document);
    const sigil = makeSigil(0, number);
    const wholeLength = await writers.call('lengthOf', document);
    await newcomer.call('join', { ...this.#processes.placeOf(document), wholeLength, sigil });
    await writers.call('insert', document, sigil);
    return newcomer.call('untilCaughtUp');
  }

  /** The marks of a newcomer who waited too long. */
  async #late(): Promise<Error> {
    const waited = `a newcomer was not caught up after ${this.#options.limitMs / 1000} s`;
    const marks = await this.#processes.newcomer.call('marks').catch(() => null);
    return new SubjectFailure('out-of-time', `${waited}: ${progressOf(marks)}`);
  }

  /** The newcomer holds what the first of those holds who typed. */
  async #requireSame(document: number): Promise<void> {
    const writers = this.#processes.writersOf(document);
    await writers.call('pause', document);
    const endMs = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const [own, other] = await Promise.all([this.#processes.newcomer.call('held'), writers.call('held', document)]);
      const difference = differenceOf(own, other);
      if (difference === null) break;
      if (performance.now() > endMs) {
        const message = `${SETTLE_LIMIT_MS / 1000} s after typing stopped, ${difference}`;
        throw new SubjectFailure('wrong-content', message);
      }
      await setTimeout(SETTLE_POLL_MS, undefined, { signal: this.#processes.signal });
    }
    await writers.call('resume', document);
  }

  async #keys(): Promise<{ due: number; typed: number }> {
    const counts = await Promise.all(this.#processes.writers.map((writers) => writers.call('typed')));
    return counts.reduce((sum, each) => ({ due: sum.due + each.due, typed: sum.typed + each.typed }));
  }
}

/** How far a newcomer came, to end a sentence. */
export function progressOf(marks: JoinMarks | null): string {
  if (marks === null) return 'its page was too busy to answer';
  const { firstTextMs, wholeMs, typableMs, receivedBytes } = marks;
  const came = `${Math.round(receivedBytes / 1024)} KiB had come`;
  if (firstTextMs === null) return `${came}, but no text showed`;
  const first = `the first text showed after ${Math.round(firstTextMs)} ms`;
  if (wholeMs === null) return `${first}, and then never all of it`;
  if (typableMs === null) return `${first}, but a key did not show`;
  return `${first} and a key after ${Math.round(typableMs)} ms, but nothing of what another typed then`;
}

/** The difference between newcomer and user, as a clause; null: none. */
export function differenceOf(newcomer: HeldDocument, user: HeldDocument): string | null {
  const holds = ({ length }: HeldDocument) => `${length} characters`;
  if (newcomer.editorDigest !== user.editorDigest) {
    return `the newcomer’s editor (${holds(newcomer)}) and that of who typed (${holds(user)}) differ`;
  }
  if (newcomer.modelDigest !== newcomer.editorDigest) return 'the newcomer’s model and editor differ';
  if (user.modelDigest !== user.editorDigest) return 'model and editor of who typed differ';
  return null;
}

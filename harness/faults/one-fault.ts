/** One experiment, one fault in it, and what must hold afterwards. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { runCommand } from '../../infra/process/command.ts';
import { VERDICT_FILE } from '../../results/formats/run-directory.ts';
import { verdictSchema } from '../../results/formats/verdict.ts';
import { isOwnerFile } from '../run-owner.ts';
import { type Command, type CommandEnd, startCommand } from './command.ts';
import { FAULTS, type Fault, type Scene, victimOf } from './faults.ts';
import { isRunning, processesOf, type RunProcess } from './processes.ts';

/** Those whose users need no browser are quick; the others have more that can break. */
const MODES = ['headless', 'headless', 'noquill', 'optquill'];
const FRAMEWORKS = ['yjs', 'sharedb', 'automerge-repo', 'loro'];
/** A trial takes about 9 s, and there are two; most faults are to find one under way. */
const LATEST_MS = 15_000;
/** From the fault to the command's end: its trials, and what its steps may take at most where nobody answers. */
const END_LIMIT_MS = 120_000;
/** What the command leaves to others to end must have ended by then. */
const LEFT_LIMIT_MS = 15_000;
/** A run of two small trials with its report takes about 5 MB. */
const DISK_BYTES = 30_000_000;
const SAMPLE_PERIOD_MS = 100;
/** Short: Chrome makes a socket below it, whose path holds 107 characters at most. */
const TEMPORARY = 't';

/** A trial under way in one of these has nothing yet that could stand without the rest. */
const BEFORE_THE_PROOF = ['admit', 'probe', 'idle', 'warm-up', 'measure'];

export interface Outcome {
  seed: number;
  fault: string;
  /** The phase in which it struck; null where there was nothing to strike. */
  phase: string | null;
  /** What became of the command. */
  ended: string;
  /** From the fault to the command's end, ms. */
  tookMs: number | null;
  /** What does not hold. */
  violations: string[];
}

/**
 * @param seed   decides the experiment, the fault and its instant
 * @param signal stops what runs, and rejects
 */
export async function tryFault(seed: number, signal: AbortSignal): Promise<Outcome> {
  // Neighbouring seeds begin alike.
  const random = prng.create(createHash('sha256').update(`${seed}`).digest().readUInt32BE());
  const mode = prng.oneOf(random, MODES);
  const fault = prng.oneOf(
    random,
    FAULTS.filter(({ modes }) => modes?.includes(mode) ?? true),
  );
  const folder = await mkdtemp(join(tmpdir(), 'fault-'));
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const mounted = fault.needsDisk === true && (await mountDisk(disk));
  try {
    return await new Attempt(
      { seed, random, mode, fault, folder, disk, signal },
      mounted || fault.needsDisk !== true,
    ).run();
  } finally {
    if (mounted) await runCommand(['umount', disk]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @returns whether this account may */
async function mountDisk(folder: string): Promise<boolean> {
  return runCommand(['mount', '-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
}

interface Given {
  seed: number;
  random: prng.PRNG;
  mode: string;
  fault: Fault;
  folder: string;
  /** Where the run's folder lies. */
  disk: string;
  signal: AbortSignal;
}

class Attempt {
  readonly #given: Given;
  readonly #canStrike: boolean;
  readonly #violations: string[] = [];
  /** All processes that there were. */
  readonly #seen = new Map<string, RunProcess>();

  constructor(given: Given, canStrike: boolean) {
    this.#given = given;
    this.#canStrike = canStrike;
  }

  async run(): Promise<Outcome> {
    const { seed, random, fault } = this.#given;
    await this.#writeExperiment();
    const command = this.#start([]);
    const watch = setInterval(() => this.#look(command), SAMPLE_PERIOD_MS);
    await Promise.race([setTimeout(prng.int31(random, 0, LATEST_MS)), command.ended]);
    const struck = this.#canStrike ? await this.#strike(command) : null;
    const faultMs = performance.now();
    const end = await this.#endOf(command);
    const tookMs = performance.now() - faultMs;
    clearInterval(watch);
    await this.#checkNothingRuns('the command');
    if (struck !== null) this.#checkEnd(command, end);
    const finished = struck?.finished ?? new Map<string, string>();
    if (struck !== null) await fault.recover?.(struck.scene);
    await this.#resume();
    for (const [trial, digest] of finished) {
      if ((await this.#digestOf(trial)) !== digest) this.#violate(`the finished trial ${trial} is not as it was`);
    }
    if (struck !== null) await this.#checkTrial(struck);
    return {
      seed,
      fault: fault.name,
      phase: struck?.phase ?? null,
      ended: end === null ? 'had to be killed' : (end.signal ?? `exit code ${end.code}`),
      tookMs: struck === null ? null : tookMs,
      violations: this.#violations,
    };
  }

  get #runFolder(): string {
    return join(this.#given.disk, 'run');
  }

  async #writeExperiment(): Promise<void> {
    const { random, mode, folder } = this.#given;
    const experiment = {
      name: 'fault',
      frameworks: prng.oneOf(random, FRAMEWORKS),
      modes: mode,
      users: prng.int31(random, 2, 4),
      trials: 2,
      durations: { warmUp: '1s', measure: '3s', profile: '0s', settle: '5s' },
      typing: { keysPerSecond: 6, sigilPeriod: '2s' },
    };
    await mkdir(join(folder, TEMPORARY));
    // JSON is YAML.
    await writeFile(join(folder, 'experiment.yaml'), JSON.stringify(experiment));
  }

  #start(more: readonly string[]): Command {
    const { folder } = this.#given;
    const args = ['run', join(folder, 'experiment.yaml'), '--out', this.#runFolder, ...more];
    return startCommand(args, { environment: { TMPDIR: join(folder, TEMPORARY) }, signal: this.#given.signal });
  }

  #look(command: Command): RunProcess[] {
    const now = processesOf(command.pid);
    for (const each of now) this.#seen.set(`${each.pid} ${each.startedAt}`, each);
    return now;
  }

  /** As soon as there is such a process. @returns null where the command ended without one */
  async #strike(command: Command): Promise<Struck | null> {
    const { fault, random } = this.#given;
    let all = this.#look(command);
    let victim = victimOf(fault, all);
    while (victim === undefined) {
      if (command.hasEnded()) return null;
      await setTimeout(SAMPLE_PERIOD_MS);
      all = this.#look(command);
      victim = victimOf(fault, all);
    }
    const finished = await this.#finishedTrials();
    const [, trial, phase] = [...command.said().matchAll(/^\[\d\/2\] \S+ trial (\d) · ([a-z-]+)/gm)].at(-1) ?? [];
    const scene: Scene = { all, random, disk: this.#given.disk };
    await fault.inflict(victim, scene);
    return { phase: phase ?? 'start', trial: trial ?? null, finished, scene };
  }

  /** @returns null where it did not end, and was killed with all that it had started */
  async #endOf(command: Command): Promise<CommandEnd | null> {
    const end = await Promise.race([command.ended, setTimeout(END_LIMIT_MS, null, { ref: false })]);
    this.#given.signal.throwIfAborted();
    if (end !== null) return end;
    this.#violate(`the command did not end in ${END_LIMIT_MS / 1000} s; it said last: ${command.said().slice(-300)}`);
    for (const { pid } of this.#look(command)) process.kill(pid, 'SIGKILL');
    await command.ended;
    return null;
  }

  async #checkNothingRuns(after: string): Promise<void> {
    const endMs = performance.now() + LEFT_LIMIT_MS;
    const left = () => [...this.#seen.values()].filter(isRunning);
    while (left().length > 0 && performance.now() < endMs) await setTimeout(SAMPLE_PERIOD_MS);
    for (const { pid, role } of left()) {
      this.#violate(`${LEFT_LIMIT_MS / 1000} s after ${after} a process still runs: ${role}, ${pid}`);
      process.kill(pid, 'SIGKILL');
    }
  }

  #checkEnd(command: Command, end: CommandEnd | null): void {
    const { ends } = this.#given.fault;
    if (end === null) return;
    // Before its first word it hears no signal yet, and ends by it.
    const isAsItMust = command.said() === '' || ends === 'killed' ? end.signal !== null : end.code === CODES[ends];
    // It may have been done by then.
    if (!isAsItMust && !isInOrder(end.code))
      this.#violate(`ended with ${end.signal ?? end.code}: ${command.said().slice(-500)}`);
    if (/^ {4}at .*:\d+:\d+\)?$/m.test(command.said())) this.#violate(`printed a stack: ${command.said().slice(-800)}`);
  }

  /** Goes on with the run, to the end; then nothing may be left of it but its results. */
  async #resume(): Promise<void> {
    const isThere = existsSync(join(this.#runFolder, 'plan.json'));
    const command = this.#start(isThere ? ['--resume'] : []);
    const watch = setInterval(() => this.#look(command), SAMPLE_PERIOD_MS);
    const end = await this.#endOf(command);
    clearInterval(watch);
    await this.#checkNothingRuns('the run that was resumed');
    if (!isInOrder(end?.code ?? null)) this.#violate(`could not be resumed: ${command.said().slice(-500)}`);
    const finished = await this.#finishedTrials();
    if (finished.size !== 2) this.#violate(`${finished.size} of 2 trials have a verdict in the end`);
    const temporary = await readdir(join(this.#given.folder, TEMPORARY));
    if (temporary.length > 0) this.#violate(`temporary files are left: ${temporary.join(', ')}`);
    const owners = (await readdir(this.#runFolder).catch(() => [])).filter(isOwnerFile);
    if (owners.length > 0) this.#violate(`the run's folder has an owner in the end: ${owners.join(', ')}`);
  }

  /** Of a trial that lost a part of itself the figures must not stand, and one sentence says why. */
  async #checkTrial({ phase, trial, finished }: Struck): Promise<void> {
    const { fault } = this.#given;
    if (trial === null || fault.ends !== 'in order' || !fault.spoils || !BEFORE_THE_PROOF.includes(phase)) return;
    const name = (await readdir(join(this.#runFolder, 'trials'))).find((each) => each.endsWith(`-${trial}`));
    if (name === undefined || finished.has(name)) return;
    const text = await readFile(join(this.#runFolder, 'trials', name, VERDICT_FILE), 'utf8');
    const { verdict, reasons } = verdictSchema.parse(JSON.parse(text));
    const about = { server: /server/, users: /user/, chrome: /user|Chrome/, page: /user|page/ }[fault.role as 'server'];
    if (verdict === 'valid') this.#violate(`${fault.name} in ${phase} left a trial that is valid`);
    else if (!reasons.some(({ message }) => about.test(message))) {
      this.#violate(`no reason names the ${fault.role}: ${JSON.stringify(reasons)}`);
    }
  }

  /** By name, each with a digest of all its files. */
  async #finishedTrials(): Promise<Map<string, string>> {
    const names = await readdir(join(this.#runFolder, 'trials')).catch(() => []);
    const finished = names.filter((name) => existsSync(join(this.#runFolder, 'trials', name, VERDICT_FILE)));
    return new Map(await Promise.all(finished.map(async (name) => [name, await this.#digestOf(name)] as const)));
  }

  async #digestOf(trial: string): Promise<string> {
    const folder = join(this.#runFolder, 'trials', trial);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const hash = createHash('sha256');
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.sort()) hash.update(file).update(await readFile(file));
    return hash.digest('hex');
  }

  #violate(what: string): void {
    this.#violations.push(what);
  }
}

interface Struck {
  phase: string;
  /** The number of the trial that was under way. */
  trial: string | null;
  /** The trials that were finished then, and what their files were. */
  finished: Map<string, string>;
  scene: Scene;
}

/** The exit code, where it ends neither in order nor killed. */
const CODES: Partial<Record<Fault['ends'], number>> = { interrupted: 130, unable: 3 };

function isInOrder(code: number | null): boolean {
  return code === 0 || code === 1;
}

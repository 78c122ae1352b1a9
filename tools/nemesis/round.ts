/** One run of a small experiment, several faults in it, and the checks after each and in the end. */
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { leftOf } from '../../infra/compose/docker.ts';
import { lastingProcessName } from '../../results/run-folder/process-name.ts';
import { isOwnerFile } from '../../results/run-folder/run-owner.ts';
import { type Command, type CommandEnd, startCommand, WaitingWorkers } from './command.ts';
import { isInOrder, problemOfVerdict, problemsOfEnd } from './expectations.ts';
import { type Fault, type Scene, victimOf } from './faults.ts';
import { takingOrders } from './orders.ts';
import type { RoundOutcome, Struck } from './outcomes.ts';
import { makePlaces, type Places, removePlaces } from './places.ts';
import { NO_CONTAINERS, type RunProcess, SeenProcesses, untilGone, watchContainers } from './processes.ts';
import { ResultsOnDisk } from './results-on-disk.ts';
import { chooseStrike, isReached, pickSubject, START, type Strike, type Subject, TRIAL } from './subjects.ts';

const FAULTS_PER_RUN = 5;
/** From a fault to its trial's end, or the command's: the most that steps may take if nobody answers. */
const END_LIMIT_MS = 120_000;
/** Remains of the command or of a trial, left to others to end, must have ended by then. */
const LEFT_LIMIT_MS = 15_000;
/** A worker in a container goes on calling its dispatcher for a minute. */
const CONTAINER_LIMIT_MS = 90_000;
/** No trial here takes so long, so no latency in it can. */
const LONGEST_TRIAL_MS = 60_000;
const PERIOD_MS = 30;

/** The words of a command that leaves the rest to the next. */
const LEAVES = /^Ended at once/m;

/**
 * @param seed               decides the experiment, the faults and their instants
 * @param options.containers true if the run is in containers
 * @param options.signal     stops what runs, and rejects
 */
export async function playRound(
  seed: number,
  { containers, signal }: { containers: boolean; signal: AbortSignal },
): Promise<RoundOutcome> {
  // Neighbouring seeds begin alike.
  const random = prng.create(createHash('sha256').update(`${seed}`).digest().readUInt32BE());
  const subject = pickSubject(random, { containers });
  const strikes = Array.from({ length: FAULTS_PER_RUN }, () => chooseStrike(subject, random));
  // Each fault has a trial of its own, which is run again if the command ends by the fault; and one trial is left alone.
  const trials = 1 + strikes.filter(({ fault }) => fault.ends === 'in order').length;
  const { places, lacks } = await makePlaces(new Set(strikes.flatMap(({ fault }) => fault.needs ?? [])));
  try {
    // JSON is YAML.
    await writeFile(places.experiment, JSON.stringify(subject.experiment(random, trials)));
    const environment = { TMPDIR: places.temporary, ...takingOrders(places.orders) };
    const workers = await WaitingWorkers.prepare(subject.workers ?? [], { project: places.project, environment });
    const isOffered = ({ fault: { needs } }: Strike) => needs === undefined || !lacks.has(needs);
    const round = new Round({ seed, subject, places, random, workers, signal }, strikes.filter(isOffered));
    const outcome = await round.play().finally(() => workers.stop());
    const left = strikes.filter((strike) => !isOffered(strike)).map(({ fault }) => fault);
    return { ...outcome, notOffered: left.map(({ name, needs }) => `${name} (it takes ${lacks.get(needs!)})`) };
  } finally {
    await removePlaces(places);
  }
}

interface Given {
  seed: number;
  subject: Subject;
  places: Places;
  random: prng.PRNG;
  workers: WaitingWorkers;
  signal: AbortSignal;
}

class Round {
  readonly #given: Given;
  readonly #strikes: Strike[];
  readonly #results: ResultsOnDisk;
  readonly #processes = new SeenProcesses();
  readonly #struck: Struck[] = [];
  readonly #violations: string[] = [];
  /** The commands' processes. */
  readonly #owners: string[] = [];
  /** True if a killed command may have left remains that the next one removes. */
  #mayBeLeft = false;

  constructor(given: Given, strikes: Strike[]) {
    this.#given = given;
    this.#strikes = strikes;
    this.#results = new ResultsOnDisk(given.places.run);
  }

  async play(): Promise<Omit<RoundOutcome, 'notOffered'>> {
    const { seed, subject, signal } = this.#given;
    // Each command ends by a fault, but for the last one.
    for (let left = FAULTS_PER_RUN + 1; left > 0; left--) {
      signal.throwIfAborted();
      if ((await this.#runOnce()) && (await this.#results.isComplete())) break;
    }
    await this.#checkResults();
    if (subject.containers) {
      const left = await Promise.all(this.#owners.map(leftOf));
      for (const name of left.flat()) this.#violate(`left in the end: ${name}`);
    }
    return { seed, subject: subject.name, struck: this.#struck, violations: this.#violations };
  }

  /**
   * Begins the run or goes on with it, until the command ends, with such faults as there is time for.
   *
   * @returns true if the command ended in order
   */
  async #runOnce(): Promise<boolean> {
    const { workers } = this.#given;
    workers.start();
    const command = this.#start();
    const owner = lastingProcessName(command.pid);
    this.#owners.push(owner);
    using containers = this.#given.subject.containers ? watchContainers(owner) : NO_CONTAINERS;
    const roots = () => [command.pid, ...workers.pids, ...containers.pids()];
    const blows: Blow[] = [];
    let end: CommandEnd | null;
    {
      using _watch = this.#processes.watch(roots);
      for (;;) {
        const blow = await this.#strike(command, roots, blows.at(-1)?.trial ?? null);
        if (blow === null) break;
        blows.push(blow);
        await this.#awaitOutcome(command, blow);
      }
      end = await this.#endOf(command);
      if ((await workers.stop()) > 0) this.#violate('a worker had to be killed after the run');
    }
    const faults = blows.map(({ strike }) => strike.fault);
    const after = faults.map(({ name }) => name).join(', ') || 'no fault';
    await this.#checkNothingRuns(this.#processes.running, `the command (${after})`);
    if (end !== null) await this.#checkEnd(command, end, faults);
    for (const { strike, scene } of blows) await strike.fault.recover?.(scene);
    await this.#checkUnchanged();
    return isInOrder(end?.code ?? null);
  }

  #start(): Command {
    const { places, workers, signal } = this.#given;
    const args = ['run', places.experiment, '--out', places.run];
    return startCommand(this.#results.isBegun ? [...args, '--resume'] : args, {
      project: places.project,
      environment: workers.environment,
      signal,
    });
  }

  /** Waits for the next fault's moment, and does it. @returns null if the command ends, or hangs, before there is one */
  async #strike(command: Command, roots: () => number[], struckTrial: string | null): Promise<Blow | null> {
    const endMs = performance.now() + END_LIMIT_MS;
    const isOver = () => command.hasEnded() || performance.now() > endMs;
    for (;;) {
      const strike = this.#strikes[0];
      if (strike === undefined) return null;
      const isDue = () => {
        const now = command.progress();
        if (now.trial === null) return strike.phase === START;
        // Each fault gets a trial of its own.
        return isReached(strike.phase, now.phase) && now.trial !== struckTrial;
      };
      while (!isDue() && !isOver()) await setTimeout(PERIOD_MS);
      await Promise.race([setTimeout(strike.delayMs), command.ended]);
      const found = await this.#findVictim(strike.fault, command, { roots, isOver });
      if (isOver()) return null;
      this.#strikes.shift();
      if (found !== null) return this.#inflict(strike, command, found);
    }
  }

  /** @returns null if the trial has no such process */
  async #findVictim(
    fault: Fault,
    command: Command,
    { roots, isOver }: { roots: () => number[]; isOver: () => boolean },
  ): Promise<Found | null> {
    let { trial } = command.progress();
    while (!isOver()) {
      const all = this.#processes.look(roots());
      const victim = victimOf(fault, all);
      if (victim !== undefined) return { all, victim };
      await setTimeout(PERIOD_MS);
      const now = command.progress().trial;
      trial ??= now;
      if (now !== trial) break;
    }
    return null;
  }

  async #inflict(strike: Strike, command: Command, { all, victim }: Found): Promise<Blow> {
    const { places, random } = this.#given;
    const { trial, phase } = command.progress();
    const wasFinished = trial !== null && this.#results.isFinished(trial);
    const violate = (what: string) => this.#violate(`${strike.fault.name}: ${what}`);
    const scene = { all, random, places, said: command.said(), violate };
    const atMs = performance.now();
    await strike.fault.inflict(victim, scene);
    await this.#checkUnchanged();
    return { strike, phase: trial === null ? START : (phase ?? TRIAL), trial, wasFinished, atMs, scene };
  }

  /** Until the trial that was struck, or the command, has ended; and says how. */
  async #awaitOutcome(command: Command, blow: Blow): Promise<void> {
    const { strike, trial, wasFinished, atMs, phase } = blow;
    const { fault } = strike;
    const endMs = atMs + END_LIMIT_MS;
    const isJudged = () => trial !== null && !wasFinished && this.#results.isFinished(trial);
    const isOver = () =>
      command.hasEnded() || command.progress().trial !== trial || (fault.ends === 'in order' && isJudged());
    while (!isOver() && performance.now() < endMs) await setTimeout(PERIOD_MS);
    const tookMs = performance.now() - atMs;
    const verdict = isJudged() ? await this.#checkTrial(trial!, blow) : null;
    const end = command.hasEnded() ? endInWords(await command.ended) : null;
    const became = (fault.ends === 'in order' ? (verdict ?? end) : (end ?? verdict)) ?? 'the run went on';
    this.#struck.push({ fault: fault.name, phase, tookMs, became });
  }

  /** @returns null if it did not end, and was killed with all that it had started */
  async #endOf(command: Command): Promise<CommandEnd | null> {
    const end = await Promise.race([command.ended, setTimeout(END_LIMIT_MS, null, { ref: false })]);
    this.#given.signal.throwIfAborted();
    if (end !== null) return end;
    this.#violate(`the command did not end in ${END_LIMIT_MS / 1000} s; it said last: ${command.said().slice(-300)}`);
    await untilGone(this.#processes.look([command.pid]), 0);
    await command.ended;
    return null;
  }

  async #checkNothingRuns(processes: Parameters<typeof untilGone>[0], after: string): Promise<void> {
    const limitMs = this.#given.subject.containers ? CONTAINER_LIMIT_MS : LEFT_LIMIT_MS;
    for (const { pid, role } of await untilGone(processes, limitMs)) {
      this.#violate(`${limitMs / 1000} s after ${after} a process still runs: ${role}, ${pid}`);
    }
  }

  /** The trial that was struck, which is finished. @returns its verdict in short */
  async #checkTrial(trial: string, { strike: { fault }, phase }: Blow): Promise<string> {
    const verdict = await this.#results.verdictOf(trial);
    if (verdict === null) return 'run again';
    const problem = problemOfVerdict(fault, phase, verdict);
    if (problem !== null) this.#violate(`${fault.name} in ${phase}: ${problem}`);
    await this.#checkNothingRuns(this.#processes.ofTrial, `the trial (${fault.name} in ${phase})`);
    return [verdict.verdict, ...verdict.reasons.slice(0, 1).map(({ code }) => code)].join(': ');
  }

  async #checkEnd(command: Command, end: CommandEnd, faults: readonly Fault[]): Promise<void> {
    const isComplete = await this.#results.isComplete();
    const areAllValid = isComplete && (await this.#results.areAllValid());
    const said = command.said();
    for (const problem of problemsOfEnd({ said, end, faults, isComplete, areAllValid })) this.#violate(problem);
    const hasClearedUp = command.progress().trial !== null;
    const leaves = end.signal !== null || LEAVES.test(said) || faults.some(({ leaves }) => leaves);
    this.#mayBeLeft = leaves || (this.#mayBeLeft && !hasClearedUp);
    const temporary = await readdir(this.#given.places.temporary);
    if (temporary.length > 0 && !this.#mayBeLeft) this.#violate(`temporary files are left: ${temporary.join(', ')}`);
    const owners = (await readdir(this.#results.folder).catch(() => [])).filter(isOwnerFile);
    if (owners.length > 0 && isInOrder(end.code))
      this.#violate(`the run's folder still has an owner: ${owners.join()}`);
  }

  async #checkResults(): Promise<void> {
    const [planned, finished] = [await this.#results.planned(), await this.#results.finished()];
    if (!(await this.#results.isComplete())) {
      return this.#violate(`only ${finished.length} of ${planned.length} trials have a verdict in the end`);
    }
    for (const latency of await this.#results.impossibleLatencies(LONGEST_TRIAL_MS)) {
      this.#violate(`a latency that cannot be: ${latency} ms`);
    }
  }

  async #checkUnchanged(): Promise<void> {
    for (const trial of await this.#results.changed()) this.#violate(`the finished trial ${trial} is not as it was`);
  }

  #violate(what: string): void {
    this.#violations.push(what);
  }
}

function endInWords({ code, signal }: CommandEnd): string {
  return signal ?? `exit code ${code}`;
}

interface Found {
  all: RunProcess[];
  victim: RunProcess;
}

/** A fault that was done. */
interface Blow {
  strike: Strike;
  phase: string;
  /** The trial that was under way, or being reported. */
  trial: string | null;
  wasFinished: boolean;
  atMs: number;
  scene: Scene;
}

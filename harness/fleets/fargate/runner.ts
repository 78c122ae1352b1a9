/** A run on Fargate, from this machine: tasks in, the command line there, each trial's files back, tasks gone. */
import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MACHINE_STOLEN } from '../../../analysis/verdict/load-checks.ts';
import { createToken } from '../../../infra/channel/token.ts';
import { codeOf } from '../../../infra/code.ts';
import { checkAccount } from '../../../infra/fargate/account.ts';
import { connectAws, FARGATE_PACE, untilSo } from '../../../infra/fargate/clients.ts';
import { callerOf } from '../../../infra/fargate/doors.ts';
import type { AwsError } from '../../../infra/fargate/errors.ts';
import { homeTasks, type TaskGroup } from '../../../infra/fargate/plan/deployment.ts';
import { sweep, TaskPool, type TaskPoolOptions } from '../../../infra/fargate/task-pool.ts';
import type { ContainerVariables } from '../../../infra/fargate/tasks.ts';
import { requireStanding } from '../../../infra/fargate/up.ts';
import { Changes } from '../../../infra/process/changes.ts';
import { type CalledJob, type CalledWorker, callWorker } from '../../../infra/workers/called-worker.ts';
import { openRecordWriter, readRecordFile } from '../../../results/formats/record-file.ts';
import { recordName } from '../../../results/formats/records.ts';
import { PLAN_FILE, type PlannedTrial, recordPath } from '../../../results/formats/run-directory.ts';
import type { Verdict } from '../../../results/formats/verdict.ts';
import { makeFolder, syncFolder } from '../../../results/formats/write-file.ts';
import { clearUpAfter, Unavailable } from '../../../results/user-error.ts';
import { analyseTrial } from '../../analysis.ts';
import { SECRETS_VARIABLE } from '../../attached/address.ts';
import { serverFor } from '../../experiment/servers.ts';
import type { Runner, RunnerOptions } from '../runner.ts';
import { AWAITED_VARIABLE, type HandedIn, handedIn } from '../workers/hand-in.ts';
import { fargatePlanOf, userTasks } from './deployment.ts';
import { filesFor, SECRETS_FILE } from './job-files.ts';
import { imageTag } from './on-aws.ts';

/** How often containers that have not come are looked for and replaced before one trial, and how long each time. */
const READY_ROUNDS = 3;
const READY_LIMIT_MS = 60_000;
/** A container that runs listens within seconds; its command line is ready when the page is built, and Chrome asked for its version. */
const CALL_LIMIT_MS = 60_000;
const OPEN_LIMIT_MS = 120_000;
/** AWS tells what became of a task some seconds after its containers are gone. */
const ERROR_LIMIT_MS = 30_000;
/** The hard deadline of every task: the plan's duration, half as much again for repeated trials, and slow starts. */
const DEADLINE_FACTOR = 1.5;
const DEADLINE_MARGIN_MS = 30 * 60_000;
/** In the run's folder: a trial's files until all are there, and AWS has said what became of its tasks. */
const INCOMING = 'incoming';
/** Reasons of a verdict that the end of a task can explain. */
const LOST = /-(lost|cut-off|machine|connection|process)$/;

/** Replaced by tests. */
interface FargateSettings extends Partial<Pick<TaskPoolOptions, 'aws' | 'pace'>> {
  firstPort?: number;
}

/**
 * Checks everything that can be checked, ends what an earlier run left, then starts the coordinator's task and the command line
 * in it. The other tasks start with the first trial, and change with each.
 *
 * @throws UserError (2, 3) with what is wrong and what to do; what was started is stopped then
 */
export async function openFargateRunner(options: RunnerOptions, settings: FargateSettings = {}): Promise<Runner> {
  const { experiment, frameworks, plan, toRun, observer, signal } = options;
  const { aws = connectAws(), pace = FARGATE_PACE, firstPort } = settings;
  const say = observer.onNotice;
  if (options.show) say('Browsers on AWS cannot be shown; --show has no effect.');
  const files = await filesFor(experiment, { plan, toRun });
  const { deployment, quotas, durationMs } = fargatePlanOf(experiment, toRun, firstPort);
  const networks = await checkAccount(aws, deployment, quotas);
  const caller = await callerOf(experiment.fleet.fargate.reachedFrom);
  const stacks = await requireStanding(aws, deployment, await imageTag(frameworks));
  const talk = { pace, signal, say };
  await sweep(aws, deployment, talk);
  const runId = `run-${randomBytes(6).toString('hex')}`;
  const deadline = new Date(Date.now() + durationMs * DEADLINE_FACTOR + DEADLINE_MARGIN_MS).toISOString();
  const runner = new FargateRunner({ ...options, ...talk, aws, deployment, runId, networks, stacks, caller, deadline });
  return runner.open(files).catch((error) => clearUpAfter(error, { clearUp: () => runner.close(), say }));
}

interface FargateRunnerOptions extends RunnerOptions, Omit<TaskPoolOptions, 'variablesOf'> {
  /** When every task ends by itself, whatever happens. */
  deadline: string;
}

/** The coordinator's last message of each type. */
type Heard = { [Type in HandedIn['type']]?: Extract<HandedIn, { type: Type }> };

class FargateRunner implements Runner {
  environment = {};
  readonly #options: FargateRunnerOptions;
  readonly #pool: TaskPool;
  /** Secrets: of this machine to the coordinator, and of workers to the dispatcher. */
  readonly #tokens = { call: createToken(), work: createToken() };
  readonly #changes = new Changes();
  #heard: Heard = {};
  #isExpecting = false;
  /** Why the command line there gave up, in its own words; null: it has not. */
  #refusal: string | null = null;
  #worker: CalledWorker | null = null;
  #address = '';

  constructor(options: FargateRunnerOptions) {
    this.#options = options;
    this.#pool = new TaskPool({ ...options, variablesOf: (group) => this.#variablesOf(group) });
  }

  /** Starts the coordinator's task, and the command line there. */
  async open(files: CalledJob['files']): Promise<Runner> {
    const { deployment, observer, signal } = this.#options;
    const { regions, serverRegion, ports } = deployment;
    await this.#pool.reach(homeTasks(deployment).filter(({ kind }) => kind === 'coordinator'));
    this.#address = this.#pool.tasks[0]!.address;
    observer.onNotice(`The coordinator runs in ${serverRegion}; calling it`);
    const url = `ws://${this.#address}:${ports.call}`;
    const worker = await callWorker({ url, token: this.#tokens.call, limitMs: CALL_LIMIT_MS, signal }).catch(
      (error) => {
        signal.throwIfAborted();
        throw new Unavailable(
          `the coordinator at ${this.#address} cannot be reached (${error.message}). Only one address is let in: is this machine's still the same, and does its network let such connections out? "fleet.fargate.reachedFrom" sets it`,
        );
      },
    );
    this.#worker = worker;
    worker.onSaid = (value) => this.#hear(handedIn.parse(value));
    await worker.run({
      entry: 'cli/main.ts',
      // Many users at a server of somebody else were agreed to here.
      arguments: ['run', `{folder}/${PLAN_FILE}`, '--on', 'workers', '--out', '{folder}/run', '--yes'],
      environment: {
        ...this.#toWorkers(),
        SCRIPTORIUM_LISTEN: '0.0.0.0',
        SCRIPTORIUM_CACHE: '{folder}/cache',
        [SECRETS_VARIABLE]: `{folder}/${SECRETS_FILE}`,
        [AWAITED_VARIABLE]: '1',
      },
      files,
    });
    if (!(await this.#until(() => this.#heard.open, OPEN_LIMIT_MS))) throw this.#lost('it does not get ready');
    // The image is made of these sources, and holds no repository.
    this.environment = { ...this.#heard.open!.environment, ...(await codeOf()), regions, serverRegion };
    return this;
  }

  async runTrial(trial: PlannedTrial, directory: string): Promise<Verdict> {
    const incoming = join(dirname(dirname(directory)), INCOMING);
    // The coordinator begins with the next trial as soon as it has the verdict, whatever this machine does meanwhile.
    if (!this.#isExpecting) await this.#expect(incoming);
    makeFolder(dirname(directory));
    const { verdict: seen } = await this.#untilTrial(trial);
    const errors = /^(valid|unknown)$/.test(seen.verdict) ? [] : await this.#errorsOf(seen);
    // The coordinator may have judged the loss of the server before its own end came.
    this.#requireCoordinator();
    const taken = errors.find(({ kind }) => kind === 'interrupted');
    const verdict = taken === undefined ? seen : await withoutMachine(incoming, taken.sentence);
    await rename(incoming, directory);
    syncFolder(dirname(directory));
    await this.#expect(incoming);
    this.#worker!.answer(verdict);
    return verdict;
  }

  /**
   * Counts refusals here too: over several runs, and before tasks start for the next trial. The coordinator alone can see if the
   * server is gone.
   */
  async heed({ framework }: PlannedTrial, verdict: Verdict): Promise<void> {
    const { experiment, refusals } = this.#options;
    const server = serverFor(experiment, framework);
    if (server === null) return;
    // After the last trial it may have ended meanwhile.
    const isThere = async () => this.#heard.heeded ?? this.#until(() => this.#heard.heeded);
    await refusals.heed(server.url, verdict, isThere);
  }

  /** Stops every task, and lets nobody in any more. @throws UserError (3) that names what may still run */
  async close(): Promise<void> {
    const { deployment, observer } = this.#options;
    observer.onNotice('Stopping every task');
    this.#worker?.dismiss();
    const left = await this.#pool.stop();
    if (left.length > 0) {
      throw new Unavailable(
        `these tasks still run, and cost money:\n  ${left.join('\n  ')}\nEnd them with: ./scriptorium fargate clean ${deployment.id}`,
      );
    }
    observer.onNotice(
      `No task is left. What "up" made stays for the next run, at no cost but that of stored images; ./scriptorium fargate clean ${deployment.id} removes it.`,
    );
  }

  /** Has exactly the tasks of this trial run, and waits for its end. */
  async #untilTrial(trial: PlannedTrial): Promise<Extract<HandedIn, { type: 'trial' }>> {
    const { deployment, experiment, observer } = this.#options;
    for (let round = 1; ; round++) {
      await this.#dropStopped();
      this.#requireCoordinator();
      await this.#pool.reach([...homeTasks(deployment), ...userTasks(experiment, trial)]);
      if (await this.#until(() => this.#heard.phase ?? this.#heard.trial, READY_LIMIT_MS)) break;
      const latest = this.#heard.notice?.text ?? '';
      if (round === READY_ROUNDS) throw this.#lost(`containers run and do not come to it: ${latest}`);
      observer.onNotice(`${latest}; looking for those that are missing`);
    }
    await this.#until(() => this.#heard.trial);
    return this.#heard.trial!;
  }

  /** Nothing of the next trial has come yet. */
  async #expect(incoming: string): Promise<void> {
    this.#isExpecting = true;
    this.#heard = {};
    await rm(incoming, { recursive: true, force: true });
    this.#worker!.receiveInto(incoming);
  }

  #hear(message: HandedIn): void {
    const { observer } = this.#options;
    this.#heard = { ...this.#heard, [message.type]: message };
    if (message.type === 'refused') this.#refusal = message.text;
    if (message.type === 'notice') observer.onNotice(message.text);
    if (message.type === 'phase') observer.onPhase(message.phase, message.endsAtMs);
    if (message.type === 'records') observer.onRecords(message.user, message.lines);
    this.#changes.happened();
  }

  /** @returns true once `isSo`, false after `limitMs`. @throws the signal's reason, UserError (3) if the coordinator is lost */
  async #until(isSo: () => unknown, limitMs?: number): Promise<boolean> {
    const { signal } = this.#options;
    const { over } = this.#worker!;
    const limit = limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)];
    try {
      await this.#changes.until(() => Boolean(isSo()), AbortSignal.any([signal, over, ...limit]));
      return true;
    } catch {
      signal.throwIfAborted();
      if (!over.aborted) return false;
      // AWS may know why.
      const lost = this.#lost(over.reason.message);
      return clearUpAfter(lost, {
        clearUp: async () => void (await this.#dropStopped()),
        say: this.#options.observer.onNotice,
      });
    }
  }

  #lost(why: string): Unavailable {
    if (this.#refusal !== null) return new Unavailable(this.#refusal);
    return new Unavailable(
      `the coordinator at ${this.#address} is lost: ${why}. Finished trials are kept: give the same command again, with --resume if it takes that`,
    );
  }

  #requireCoordinator(): void {
    if (!this.#pool.tasks.some(({ kind }) => kind === 'coordinator')) throw this.#lost('its task has stopped');
  }

  /** Forgets tasks that have stopped, and says what AWS says of them. */
  async #dropStopped(): Promise<AwsError[]> {
    const errors = await this.#pool.dropStopped();
    for (const { sentence } of errors) this.#options.observer.onNotice(sentence);
    return errors;
  }

  /** AWS's errors for the tasks that a trial lost; none if AWS tells none in time, or no task was lost. */
  async #errorsOf({ reasons }: Verdict): Promise<AwsError[]> {
    const { pace, signal } = this.#options;
    let errors: AwsError[] = [];
    const check = async () => {
      errors = await this.#dropStopped();
      return errors.length > 0 || !reasons.some(({ code }) => LOST.test(code));
    };
    await untilSo({ pace, signal }, ERROR_LIMIT_MS, check);
    return errors;
  }

  /** The variables by which others find the dispatcher, and the dispatcher its place. */
  #toWorkers(): Record<string, string> {
    const { tasks } = this.#options.deployment.ports;
    return {
      SCRIPTORIUM_DISPATCHER: `ws://${this.#address}:${tasks.from}`,
      SCRIPTORIUM_TOKEN: this.#tokens.work,
    };
  }

  /** Environment of the containers of a task, each by its name. */
  #variablesOf({ kind, region }: TaskGroup): ContainerVariables {
    const { deployment, deadline } = this.#options;
    const { role, containers } = deployment.kinds.find(({ name }) => name === kind)!;
    const called = { SCRIPTORIUM_CALLED_ON: `${deployment.ports.call}`, SCRIPTORIUM_TOKEN: this.#tokens.call };
    const common = {
      ...(role === 'coordinator' ? called : this.#toWorkers()),
      ...(role === 'users' && { SCRIPTORIUM_GROUP: region }),
      ...{ SCRIPTORIUM_ROLE: role, SCRIPTORIUM_DEADLINE: deadline },
    };
    return Object.fromEntries(
      containers.map((name) => [name, { ...common, SCRIPTORIUM_NAME: `${name} in ${region}` }]),
    );
  }
}

/** Judges a trial anew that lost a machine to AWS, as its record tells from now on: the run loops of both ends run it again. */
async function withoutMachine(directory: string, message: string): Promise<Verdict> {
  const path = recordPath(directory, recordName({ role: 'coordinator' }));
  const lines = await Array.fromAsync(readRecordFile(path));
  const record = openRecordWriter(path);
  // By the clock of the record: this machine's is another.
  const last = lines.findLast((line) => 'atMs' in line);
  record.write([...lines, { type: 'fault', atMs: last?.atMs ?? 0, code: MACHINE_STOLEN, message }]);
  await record.close();
  return analyseTrial(directory);
}

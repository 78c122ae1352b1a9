/** One trial, step by step: serve, admit, probe, go, warm up, measure, profile, settle, collect, judge, stop. */
import { judgeTrialFiles } from '../../analysis/verdict/judge-trial-files.ts';
import type { Hosting } from '../../editors/base/framework.ts';
import { makeSigil, SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { redact } from '../../infra/channel/token.ts';
import type { Fleet } from '../../infra/fleet.ts';
import {
  type Phase,
  type RecordLine,
  type RecordOf,
  recordName,
  SCHEMA_VERSION,
} from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { Edit } from '../../traces/edit.ts';
import { realTimer, type Timer } from '../clock.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { usersPerBrowser } from '../experiment/fleet-sizes.ts';
import { startMachineProbe } from '../probes/machine-probe.ts';
import { assignmentOf, hostArguments } from './assignments.ts';
import { CONTROL_URL_VARIABLE } from './control-url.ts';
import { type Coordinator, type Member, startCoordinator } from './coordinator.ts';
import { collectOutcomes, keepProfiles, memberName } from './hand-in.ts';
import { STATE_PERIOD_MS, untilAgreed } from './settle.ts';
import { boundBy, TrialFault } from './trial-fault.ts';
import { openTrialRecords } from './trial-records.ts';

/** Bounds on the steps in which nobody types yet or any more; typing itself lasts as long as the experiment says. */
const SERVE_LIMIT_MS = 15_000;
const ADMIT_LIMIT_MS = 30_000;
/** Each further user makes the others' start slower, on a machine that they share. */
const ADMIT_LIMIT_PER_USER_MS = 2000;
const PROBE_LIMIT_MS = 30_000;
const COLLECT_LIMIT_MS = 60_000;
/** The start is announced so far ahead: long enough for the message to reach every user of this fleet. */
const START_MARGIN_MS = 1000;
/** What a screen that is read from top to bottom may take at most: twice what the steps of the longest reading take. */
const READING_LIMIT_MS = 60_000;
/** How long after a lost connection the end of its process may become known. */
const LAST_WORDS_MS = 300;
/** CPU profiles are taken of so many users, and of the server. */
const PROFILED_USERS = 2;
/** Sigils of user 0 from this number on are readiness markers; a trial would have to last hours to type so many. */
const MARKER_COUNT = SIGIL_NUMBERS - 1;

export interface TrialOptions {
  planned: PlannedTrial;
  experiment: Experiment;
  /** The framework's version, as this process finds it installed. */
  version: string;
  /** Where the framework is another's service; null or absent where its server is started here. */
  hosting?: Hosting | null;
  /** What each user types, by number. */
  editsFor: (user: number) => Edit[];
  fleet: Fleet;
  pageFolder: string;
  /** Where this trial's records go. */
  directory: string;
  show: boolean;
  observer: TrialObserver;
  /** Aborts when the person interrupts the run. */
  signal: AbortSignal;
  timer?: Timer;
}

export interface TrialObserver {
  onPhase(phase: Phase, endsAtMs: number | null): void;
  /** @param user whose record the lines are of; null: the server's */
  onRecords(user: number | null, lines: RecordLine[]): void;
}

/**
 * Runs a trial and writes its directory. Faults of the trial end in its verdict.
 *
 * @throws the signal's reason where the run was interrupted, and the disk's error where records cannot be written;
 *         everything started is stopped then too
 */
export async function runTrial(options: TrialOptions): Promise<Verdict> {
  const trial = await openTrial(options).catch(async (error) => {
    await options.fleet.stop();
    throw error;
  });
  try {
    await trial.serve();
    await trial.admit();
    await trial.probe();
    await trial.go();
    await trial.warmUp();
    await trial.measure();
    await trial.profile();
    await trial.settle();
    await trial.collect();
  } catch (error) {
    trial.note(error);
  } finally {
    await trial.stop();
  }
  return judgeTrialFiles(options.directory);
}

async function openTrial(options: TrialOptions) {
  const { planned, experiment, fleet, directory, observer, timer = realTimer, hosting = null } = options;
  const { framework, mode, users } = planned;
  const { warmUpMs, measureMs, profileMs, settleMs } = experiment.durations;
  const writers = experiment.writers === 'all' ? users : Math.min(experiment.writers, users);
  const records = openTrialRecords(directory);
  const processes = [
    ...(hosting === null ? ['server'] : []),
    ...Array.from({ length: users }, (_, user) => recordName({ role: 'user', user })),
  ];
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, records.failed, ended.signal]);
  const within = boundBy(signal);
  const loseTrial = (code: string, message: string) => ended.abort(new TrialFault(code, message));
  let stopping = false;
  let startMs = 0;
  let proof: RecordOf<'convergence'>['proof'] = 'not-reached';

  const coordinatorRecord = (line: RecordLine) => records.write('coordinator', [line]);
  const begin = (phase: Phase, atMs = timer.nowMs(), endsAtMs: number | null = null) => {
    coordinatorRecord({ type: 'phase', phase, atMs });
    observer.onPhase(phase, endsAtMs);
  };

  const lose = (member: Member, message: string) => {
    if (stopping || ended.signal.aborted) return;
    const who = member.user === null ? `the server of ${framework}` : `user ${member.user}`;
    coordinatorRecord({ type: 'fault', atMs: timer.nowMs(), message, user: member.user ?? undefined });
    loseTrial(`${member.role}-lost`, `${who} is lost: ${message}`);
  };
  const coordinator: Coordinator = await startCoordinator({
    host: fleet.network.coordinator.listensOn,
    port: fleet.network.coordinator.port,
    users,
    pageFolder: options.pageFolder,
    events: {
      onRecords(member, lines) {
        records.write(memberName(member), lines);
        observer.onRecords(member.user, lines);
      },
      onFailed: (member, message) => lose(member, message),
      // Where its process has ended, the fleet is about to say how, which tells more.
      onDisconnected: (member) =>
        setTimeout(() => lose(member, 'its connection to the coordinator ended'), LAST_WORDS_MS),
    },
  });
  const atMs = timer.nowMs();
  coordinatorRecord({
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    role: 'coordinator',
    framework,
    frameworkVersion: options.version,
    mode,
    node: process.version,
    chrome: null,
    atMs,
  });
  const { cell, trial, seed } = planned;
  const clockErrorLimitMs = experiment.limits.clockErrorMs;
  const expected = { processes, writers, clockErrorLimitMs };
  coordinatorRecord({ type: 'trial', atMs, cell, framework, mode, users, trial, seed, ...expected });
  const stopMachineProbe = startMachineProbe(coordinatorRecord);

  const coordinatorHost = fleet.network.coordinator.reachedAt;
  let serverHost = '';

  /** Starts a process that reports to this coordinator; where it ends badly, that ends the trial. */
  const launch = async (name: string, entry: string, args: string[]): Promise<string[]> => {
    const environment = { [CONTROL_URL_VARIABLE]: coordinator.controlUrl(coordinatorHost) };
    const job = { name, entry, arguments: args, copies: 1, environment };
    const { addresses, failed } = await within(SERVE_LIMIT_MS, `the launch of the ${name} process`, () =>
      fleet.launch(job),
    );
    failed.then((message) => {
      if (message !== null && !stopping) loseTrial(`${name}-process`, redact(message, coordinator.token));
    });
    return addresses;
  };
  const everyUser = <T>(ask: (member: Member) => Promise<T>): Promise<T[]> => Promise.all(coordinator.users.map(ask));

  const addressOfServer = () =>
    within(SERVE_LIMIT_MS, `the start of the ${framework} server`, async (limited) => {
      await coordinator.untilConnected({ users: 0, server: true }, limited);
      const { port } = await coordinator.server!.expect('ready', limited);
      return `ws://${serverHost}:${port}/${coordinator.token}`;
    });
  /** The server, where it is one of this trial's processes, and all users. */
  const everyone = () => [...(coordinator.server === null ? [] : [coordinator.server]), ...coordinator.users];
  const profiled = () =>
    profileMs === 0 ? [] : everyone().filter(({ user }) => user === null || user < PROFILED_USERS);

  return {
    async serve() {
      begin('serve');
      if (hosting === null) {
        const { listensOn, port } = fleet.network.server;
        const listening = ['--address', listensOn, '--port', String(port)];
        const server = ['--framework', framework, '--mode', mode, ...listening];
        [serverHost = ''] = await launch('server', 'harness/server/main.ts', server);
      }
      for (const args of hostArguments(users, usersPerBrowser(experiment), options.show)) {
        await launch('users', 'harness/users/main.ts', ['--framework', framework, '--mode', mode, ...args]);
      }
    },

    async admit() {
      begin('admit');
      const serverUrl = hosting === null ? await addressOfServer() : documentOf(planned);
      const limitMs = ADMIT_LIMIT_MS + users * ADMIT_LIMIT_PER_USER_MS;
      await within(limitMs, `the start of all ${users} users`, async (limited) => {
        await coordinator.untilConnected({ users, server: hosting === null }, limited);
        const addresses = { serverUrl, pageUrl: coordinator.pageUrl(coordinatorHost) };
        for (const [index, member] of coordinator.users.entries()) {
          if (index > 0 && hosting !== null) await timer.until(timer.nowMs() + hosting.joinPeriodMs, limited);
          const edits = member.user! < writers ? options.editsFor(member.user!) : null;
          member.send({
            type: 'assignment',
            assignment: assignmentOf({ user: member.user!, planned, experiment, edits, ...addresses }),
          });
        }
        await everyUser((member) => member.expect('ready', limited));
      });
    },

    async probe() {
      begin('probe');
      const marker = makeSigil(0, MARKER_COUNT);
      await within(PROBE_LIMIT_MS, `the arrival of a marker typed by user 0 at all ${users} users`, async (limited) => {
        for (const member of coordinator.users) member.send({ type: 'marker', marker, typeIt: member.user === 0 });
        await everyUser((member) => member.expect('marker-shown', limited));
      });
    },

    async go() {
      startMs = timer.nowMs() + START_MARGIN_MS;
      const typingMs = warmUpMs + measureMs + profileMs;
      const order = {
        type: 'go',
        startMs,
        endMs: startMs + typingMs,
        memoryAtMs: startMs + warmUpMs + measureMs / 2,
      } as const;
      for (const member of coordinator.users) member.send(order);
      await timer.until(startMs, signal);
    },

    // These three begin and end when they were announced, however late a timer of this process is.
    async warmUp() {
      begin('warm-up', startMs, startMs + warmUpMs);
      await timer.until(startMs + warmUpMs, signal);
    },

    async measure() {
      const fromMs = startMs + warmUpMs;
      begin('measure', fromMs, fromMs + measureMs);
      await timer.until(fromMs + measureMs, signal);
    },

    async profile() {
      if (profileMs === 0) return;
      const fromMs = startMs + warmUpMs + measureMs;
      begin('profile', fromMs, fromMs + profileMs);
      for (const member of profiled()) member.send({ type: 'profile', durationMs: profileMs });
      await timer.until(fromMs + profileMs, signal);
    },

    async settle() {
      // Its time counts from when typing was to stop; profiles are handed in later, so that none of it goes to them.
      const fromMs = startMs + warmUpMs + measureMs + profileMs;
      begin('settle', fromMs, fromMs + settleMs);
      try {
        const agreed = await untilAgreed({
          ask: (limitMs) =>
            within(limitMs, 'an answer of all users after typing', (limited) =>
              everyUser((member) => {
                member.send({ type: 'ask-document-state' });
                return member.expect('document-state', limited);
              }),
            ),
          endMs: fromMs + settleMs,
          // Where models are not open, an answer that was asked for in time takes as long as its reading does.
          leastAnswerMs: hosting === null ? STATE_PERIOD_MS : READING_LIMIT_MS,
          timer,
          signal,
        });
        proof = agreed === null ? 'not-compared' : agreed ? 'reached' : 'not-reached';
      } finally {
        coordinatorRecord({ type: 'convergence', atMs: timer.nowMs(), proof });
      }
    },

    async collect() {
      begin('collect');
      // Before the records' ends, after which nothing is taken any more.
      await within(COLLECT_LIMIT_MS, 'the hand-in of the CPU profiles', (limited) =>
        keepProfiles(profiled(), directory, limited),
      );
      const isEvidence = proof !== 'reached';
      await within(COLLECT_LIMIT_MS, 'the hand-in of all records', (limited) =>
        collectOutcomes({ members: everyone(), directory, isEvidence, signal: limited }),
      );
      begin('done');
    },

    /** Takes a fault of the trial into its records; anything else ends the run. */
    note(error: unknown) {
      if (!(error instanceof TrialFault)) throw error;
      coordinatorRecord({ type: 'fault', atMs: timer.nowMs(), code: error.code, message: error.message });
    },

    async stop() {
      stopping = true;
      stopMachineProbe();
      for (const member of everyone()) member.send({ type: 'goodbye' });
      // One that cannot be stopped in order must not keep the others from it.
      await fleet
        .stop()
        .finally(() => coordinator.close())
        .finally(() => records.close());
    },
  };
}

function documentOf({ cell, document }: PlannedTrial): string {
  if (document === undefined) throw new Error(`the trial of ${cell} was given no document`);
  return document;
}

/** One trial, step by step: serve, admit, ready, idle, go, warm up, measure, profile, settle, collect, judge, stop. */
import { makeSigil, SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { realTimer, type Timer } from '../../infra/clock.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { analyseTrial } from '../analysis.ts';
import { assignmentOf } from './assignments.ts';
import { FaultLog, serverFaultsIn } from './fault-schedule.ts';
import { expectEach, type Member } from './member.ts';
import { wantedOf } from './servers-wanted.ts';
import {
  admitLimitMs,
  boundBy,
  IDLE_MS,
  joinInTurn,
  STEP_LIMITS_MS,
  serveLimitMs,
  type Timeline,
  TrialFailure,
  timelineFrom,
  untilAgreed,
  type Within,
} from './steps.ts';
import { collectOutcomes, keepProfiles, proveCrowd } from './trial-files.ts';
import { hasServer, type TrialOptions } from './trial-options.ts';
import { TrialProcesses } from './trial-processes.ts';
import { TrialRecord } from './trial-record.ts';
import { restMsAfter, type TrialUser, userProcesses, usersOf } from './trial-users.ts';

/** The start is announced so far ahead: long enough for the message to reach every user of this fleet. */
const START_MARGIN_MS = 1000;
/** CPU profiles are taken of so many users, and of the server. */
const PROFILED_USERS = 2;
/** Sigils of user 0 from this number on are readiness markers; a trial would have to last hours to type so many. */
const MARKER_COUNT = SIGIL_NUMBERS - 1;

/**
 * Runs a trial and writes its directory. A failure of the trial ends in its verdict.
 *
 * @throws the signal's reason if the run was interrupted, and the disk's error if records cannot be written;
 *         everything started is stopped then too
 */
export async function runTrial(options: TrialOptions): Promise<Verdict> {
  const trial = new Trial(options);
  try {
    await trial.serve();
    await trial.admit();
    await trial.ready();
    await trial.idle();
    await trial.go();
    await trial.warmUp();
    await trial.measure();
    await trial.profile();
    await trial.settle();
    await trial.collect();
    await trial.prove();
  } catch (error) {
    trial.note(error);
  } finally {
    await trial.stop();
  }
  return analyseTrial(options.directory);
}

/** A trial's steps, for `runTrial` to take in order. Each rejects with a `TrialFailure` if it fails. */
class Trial {
  readonly #options: TrialOptions;
  readonly #timer: Timer;
  readonly #users: readonly TrialUser[];
  readonly #record: TrialRecord;
  readonly #processes: TrialProcesses;
  readonly #faults: FaultLog;
  /** Aborts if the trial cannot go on. */
  readonly #signal: AbortSignal;
  readonly #within: Within;
  #timeline: Timeline;
  /** When typing begins; null: not announced yet. */
  #startMs: number | null = null;
  #proof: RecordOf<'convergence'>['proof'] = 'not-reached';

  constructor(options: TrialOptions) {
    const { planned, experiment, fleet, source, observer } = options;
    this.#options = options;
    this.#timer = options.timer ?? realTimer;
    this.#timeline = timelineFrom(this.#timer.nowMs(), experiment.durations);
    this.#users = usersOf(experiment, { planned, crowd: options.crowd?.kind });
    this.#faults = new FaultLog(experiment, this.#users, planned.servers);
    this.#record = new TrialRecord(options, this.#timer);
    this.#processes = new TrialProcesses({
      planned,
      users: this.#users,
      fleet,
      source,
      onRecords: (member, lines) => {
        this.#record.take(member, lines);
        if ((member.user ?? 0) < planned.users) observer.onRecords(member.user, lines);
      },
      onLost: ({ user }, message) => this.#record.addFault({ message, user: user ?? undefined }),
    });
    this.#signal = AbortSignal.any([options.signal, this.#record.failed, this.#processes.lost]);
    this.#within = boundBy(this.#signal);
  }

  async serve(): Promise<void> {
    const { planned, experiment, pageFolder, crowd, show, source } = this.#options;
    const processes = this.#processes;
    await processes.listen(pageFolder);
    await this.#record.open(this.#users);
    this.#record.begin('serve');
    const launch = (name: string, step: () => Promise<void>) =>
      this.#within(STEP_LIMITS_MS.serve, `the launch of the ${name} process`, step);
    const wanted = wantedOf(planned, experiment);
    if (hasServer(source)) await launch('server', () => processes.launchServer(wanted));
    for (const host of userProcesses({ planned, experiment, crowd, show })) {
      await launch(host.name, () => processes.launchUsers(host));
    }
  }

  async admit(): Promise<void> {
    this.#record.begin('admit');
    const { source, planned } = this.#options;
    const ownUrls = hasServer(source) ? await this.#addressesOfServers() : [];
    const serverUrls = source.address === null ? ownUrls : [source.address];
    const limitMs = admitLimitMs(planned, source.joinPeriodMs);
    await this.#within(limitMs, `the connection of all ${planned.users} users to the coordinator`, (limited) =>
      this.#processes.untilAllConnected(limited),
    );
    const startAll = (limited: AbortSignal) =>
      joinInTurn(this.#processes.users, {
        assign: (member) => this.#assign(member, serverUrls),
        periodMs: source.joinPeriodMs,
        isFirstAlone: source.foreign !== undefined,
        timer: this.#timer,
        signal: limited,
      });
    const started = this.#within(limitMs, `the start of all ${planned.users} users`, startAll, 'never-ready');
    await this.#processes.unlessForeign(started, 'not let in', 'gives the document to none of these users');
  }

  async ready(): Promise<void> {
    this.#record.begin('ready');
    const marker = makeSigil(0, MARKER_COUNT);
    const { startText, meetsUser0 = () => true } = this.#options;
    const members = this.#processes.replicas.filter(({ user }) => meetsUser0(user!));
    const what = `the arrival of a marker typed by user 0 at all ${members.length} users`;
    const showAll = (limited: AbortSignal) => {
      for (const member of members) {
        const { isAuthor } = this.#processes.userOf(member);
        member.send({ type: 'marker', marker, typeIt: member.user === 0, startText: isAuthor ? startText : '' });
      }
      return expectEach(members, 'marker-shown', limited);
    };
    const limitMs = STEP_LIMITS_MS.ready + startText.length * STEP_LIMITS_MS.readyPerCharacter;
    const shown = this.#within(limitMs, what, showAll, 'never-ready');
    await this.#processes.unlessForeign(shown, 'read-only', 'lets these users in, and takes no edit of theirs');
  }

  /** All are connected and nobody types: what the server takes now is no framework's work for edits. */
  async idle(): Promise<void> {
    this.#record.begin('idle');
    await this.#timer.until(this.#timer.nowMs() + IDLE_MS, this.#signal);
  }

  async go(): Promise<void> {
    const { durations, faults } = this.#options.experiment;
    this.#timeline = timelineFrom(this.#timer.nowMs() + START_MARGIN_MS, durations);
    const { warmUpMs, measureMs, profileMs, endMs } = this.#timeline;
    const memoryAtMs = (measureMs + profileMs) / 2;
    this.#startMs = warmUpMs;
    const go = { type: 'go', startMs: warmUpMs, endMs, memoryAtMs, serverFaults: serverFaultsIn(faults) } as const;
    for (const member of this.#processes.all) member.send(go);
    // Not awaited: it goes on until the trial ends, which the signal says, or the last fault is over.
    if (this.#processes.server !== null) this.#faults.follow(this.#processes.server, this.#signal).catch(() => {});
    await this.#timer.until(warmUpMs, this.#signal);
  }

  // These three begin and end when they were announced, however late a timer of this process is.
  async warmUp(): Promise<void> {
    const { warmUpMs, measureMs } = this.#timeline;
    this.#record.begin('warm-up', warmUpMs, measureMs);
    await this.#timer.until(measureMs, this.#signal);
  }

  async measure(): Promise<void> {
    const { measureMs, profileMs } = this.#timeline;
    this.#record.begin('measure', measureMs, profileMs);
    await this.#timer.until(profileMs, this.#signal);
  }

  async profile(): Promise<void> {
    const { durations } = this.#options.experiment;
    if (durations.profileMs === 0) return;
    const { profileMs, profilersMs, endMs } = this.#timeline;
    this.#record.begin('profile', profileMs, endMs);
    await this.#timer.until(profilersMs, this.#signal);
    for (const member of this.#profiled()) member.send({ type: 'profile', durationMs: endMs - profilersMs });
    await this.#timer.until(endMs, this.#signal);
  }

  async settle(): Promise<void> {
    // Its time counts from when typing was to stop; profiles are handed in later, so that none of it goes to them.
    const fromMs = this.#timeline.endMs;
    const endMs = fromMs + this.#options.experiment.durations.settleMs;
    this.#record.begin('settle', fromMs, endMs);
    const read = (limited: AbortSignal) => expectEach(this.#processes.played, 'played', limited);
    await this.#within(endMs - fromMs, 'that the server read all that the crowd sent', read, 'no-answer');
    const agreed = await untilAgreed({
      ask: (limitMs) => this.#askStates(limitMs),
      endMs,
      restMs: restMsAfter(this.#users, this.#options.experiment),
      leastAnswerMs: this.#options.source.readingLimitMs,
      timer: this.#timer,
      signal: this.#signal,
    });
    // Only now: if the trial ends before, nothing is known of whether they would have agreed.
    this.#proof = agreed === null ? 'not-compared' : agreed ? 'reached' : 'not-reached';
    this.#record.add({ type: 'convergence', atMs: this.#timer.nowMs(), proof: this.#proof });
  }

  async collect(): Promise<void> {
    this.#record.begin('collect');
    this.#recordFaults();
    const { directory } = this.#options;
    // Before the records' ends, after which nothing is taken any more.
    await this.#within(STEP_LIMITS_MS.collect, 'the hand-in of the CPU profiles', (limited) =>
      keepProfiles(this.#profiled(), directory, limited),
    );
    const isEvidence = this.#proof !== 'reached';
    await this.#within(STEP_LIMITS_MS.collect, 'the hand-in of all records', (limited) =>
      collectOutcomes({ members: this.#processes.all, directory, isEvidence, signal: limited }),
    );
  }

  /** Replays all that the users sent, elsewhere and in another order: another document means that something was lost. */
  async prove(): Promise<void> {
    const { crowd, planned, directory } = this.#options;
    if (crowd?.kind === 'recorded') {
      const { recording } = crowd;
      const proof = await this.#within(STEP_LIMITS_MS.prove, 'the replay of what all users sent', () =>
        proveCrowd({ processes: this.#processes, planned, recording, directory }),
      );
      this.#record.add({ type: 'replay', atMs: this.#timer.nowMs(), ...proof });
    }
    this.#record.begin('done');
  }

  /** Takes a failure of the trial into its records; anything else ends the run. */
  note(error: unknown): void {
    if (!(error instanceof TrialFailure)) throw error;
    this.#record.addFault({ code: error.code, message: error.message });
  }

  async stop(): Promise<void> {
    this.#record.stopWatching();
    this.#recordFaults();
    // A failing stop must not keep the records open.
    await this.#processes
      .stop()
      .then(() => this.#record.lookAround())
      .finally(() => this.#record.close());
  }

  /** Records the outcome of the injected faults, once. */
  #recordFaults(): void {
    this.#record.add(...this.#faults.lines({ startMs: this.#startMs, nowMs: this.#timer.nowMs() }));
  }

  #addressesOfServers(): Promise<string[]> {
    const { planned } = this.#options;
    const what = `the start of the ${planned.framework} server`;
    const start = (limited: AbortSignal) => this.#processes.addressesOfServers(limited);
    const code = this.#options.source.observed === undefined ? 'server-late' : 'observer-late';
    return this.#within(serveLimitMs(planned), what, start, code);
  }

  #assign(member: Member, serverUrls: readonly string[]): void {
    const { planned, experiment, editsFor, source } = this.#options;
    const user = this.#processes.userOf(member);
    // A played user's edits are in its recording.
    const edits = user.kind === 'played' || user.edits === 0 ? [] : editsFor(user);
    const { pageUrl } = this.#processes;
    const { joinPeriodMs } = source;
    const assignment = assignmentOf(user, edits, { planned, experiment, serverUrls, pageUrl, joinPeriodMs });
    member.send({ type: 'assignment', assignment });
  }

  #askStates(limitMs: number) {
    const { replicas } = this.#processes;
    for (const member of replicas) member.send({ type: 'ask-document-state' });
    const answers = (limited: AbortSignal) => expectEach(replicas, 'document-state', limited);
    return this.#within(limitMs, 'an answer of all users after typing', answers, 'no-answer');
  }

  #profiled(): Member[] {
    if (this.#options.experiment.durations.profileMs === 0) return [];
    return this.#processes.all.filter(({ user }) => user === null || user < PROFILED_USERS);
  }
}

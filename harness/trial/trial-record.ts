/** The records of a trial as they are written: what its processes hand in, and the coordinator's own, of the trial as a whole. */
import type { Timer } from '../../infra/clock.ts';
import { openRecordWriter, type RecordWriter } from '../../results/formats/record-file.ts';
import { type Phase, type RecordLine, recordName, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { cellMode, recordPath } from '../../results/formats/run-directory.ts';
import { countCompany } from '../experiment/company.ts';
import { startMachineProbe } from '../probes/host-probe.ts';
import type { Member } from './member.ts';
import { memberName } from './trial-files.ts';
import { hasServer, type TrialOptions } from './trial-options.ts';
import { type TrialUser, writersAmong } from './trial-users.ts';

/** The name of the coordinator's own. */
const OWN = 'coordinator';

export class TrialRecord {
  readonly #options: TrialOptions;
  readonly #timer: Timer;
  readonly #writers = new Map<string, RecordWriter>();
  readonly #disk = new AbortController();
  #stopMachineProbe = () => {};

  constructor(options: TrialOptions, timer: Timer) {
    this.#options = options;
    this.#timer = timer;
  }

  /** Aborts with the disk's error as soon as there is one. */
  get failed(): AbortSignal {
    return this.#disk.signal;
  }

  /** Begins with what the trial is, and what its verdict is judged by; then watches the machine. */
  async open(users: readonly TrialUser[]): Promise<void> {
    this.add(...openingLines(this.#options, users, this.#timer.nowMs()));
    await this.lookAround();
    this.#stopMachineProbe = startMachineProbe((line) => this.add(line));
  }

  /** Takes lines of the trial as a whole. */
  add(...lines: RecordLine[]): void {
    this.#write(OWN, lines);
  }

  /** Takes lines that a process has sent. */
  take(member: Member, lines: RecordLine[]): void {
    this.#write(memberName(member), lines);
  }

  begin(phase: Phase, atMs = this.#timer.nowMs(), endsAtMs: number | null = null): void {
    this.add({ type: 'phase', phase, atMs });
    this.#options.observer.onPhase(phase, endsAtMs);
  }

  /** A failure, of the trial or of one of its users. */
  addFault(fault: { message: string; code?: string; user?: number }): void {
    this.add({ type: 'fault', atMs: this.#timer.nowMs(), ...fault });
  }

  /** Records the surroundings, and the speed of the machine: nothing of the trial may run meanwhile. A person who interrupts does not wait for it. */
  async lookAround(): Promise<void> {
    const { signal, lookAround, measureSpeed } = this.#options;
    if (signal.aborted) return;
    const around = await lookAround?.();
    if (around) this.add(around);
    const speed = await measureSpeed?.();
    if (speed) this.add({ type: 'machine-speed', atMs: this.#timer.nowMs(), ...speed });
  }

  stopWatching(): void {
    this.#stopMachineProbe();
  }

  /** Resolves once every line is in its file; rejects with the disk's error. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#writers.values()].map((writer) => writer.close()));
    const failure = closed.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  #write(name: string, lines: RecordLine[]): void {
    if (lines.length === 0 || this.failed.aborted) return;
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      const path = recordPath(this.#options.directory, name);
      writer = openRecordWriter(path, { onError: (error) => this.#disk.abort(error) });
      this.#writers.set(name, writer);
    }
    writer.write(lines);
  }
}

function openingLines(options: TrialOptions, trialUsers: readonly TrialUser[], atMs: number): RecordLine[] {
  const { planned, version, source, crowd, experiment } = options;
  const { cell, framework, users, probes, trial, seed } = planned;
  const mode = cellMode(planned);
  const processes = trialUsers.map(({ number }) => recordName({ role: 'user', user: number }));
  if (hasServer(source)) processes.unshift(recordName({ role: 'server' }));
  return [
    {
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'coordinator',
      framework,
      frameworkVersion: version,
      mode,
      node: process.version,
      chrome: null,
      atMs,
    },
    {
      type: 'trial',
      atMs,
      cell,
      framework,
      mode,
      users,
      trial,
      seed,
      processes,
      writers: writersAmong(trialUsers),
      probes,
      document: source.foreign === undefined ? undefined : planned.document,
      store: planned.store,
      servers: planned.servers,
      affinity: experiment.affinity === 'document' ? 'document' : undefined,
      ...countCompany(planned),
      crowd: crowd?.kind,
      crowdRestsOnOrder: crowd?.kind === 'recorded' ? crowd.restsOnOrder : undefined,
      crowdPatched: crowd?.patched,
      clockErrorLimitMs: experiment.limits.clockErrorMs,
    },
  ];
}

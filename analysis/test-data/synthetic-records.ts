/** Records as a trial of any size would write them, made up from a seed: material for benchmarks, never for results. */
import * as prng from 'lib0/prng';
import { openRecordWriter } from '../../results/formats/record-file.ts';
import { type Phase, type RecordLine, recordName, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';

interface SyntheticTrial {
  /** Where the trial's files go. */
  directory: string;
  users: number;
  /** From the first keystroke to the last; the measured window is the minute before the last ten seconds. */
  seconds: number;
  seed: number;
  framework?: string;
}

const START_MS = Date.UTC(2026, 0, 1);
const KEYS_PER_SECOND = 6;
const SIGIL_PERIOD_MS = 10_000;
const CHANGES = [null, 'deleted', 'formatted'] as const;
const MEASURE_MS = 60_000;
const PROFILE_MS = 10_000;
/** Each user's clock is off by up to this much, either way. */
const CLOCK_OFFSET_MS = 40;
const CLOCK_ERROR_LIMIT_MS = 5;

/** Writes the records of a trial in which nothing goes wrong: the coordinator's, the server's and every user's. */
export async function writeSyntheticTrial(trial: SyntheticTrial): Promise<void> {
  const generator = prng.create(trial.seed);
  const random = () => prng.real53(generator);
  const offsets = Array.from({ length: trial.users }, () => (random() - 0.5) * 2 * CLOCK_OFFSET_MS);
  await writeRecord(trial, 'coordinator', coordinatorLines(trial));
  await writeRecord(trial, 'server', serverLines(trial));
  for (let user = 0; user < trial.users; user++) {
    await writeRecord(trial, recordName({ role: 'user', user }), userLines(trial, user, offsets[user]!, random));
  }
}

async function writeRecord(trial: SyntheticTrial, name: string, lines: RecordLine[]): Promise<void> {
  const writer = openRecordWriter(recordPath(trial.directory, name));
  writer.write(lines);
  await writer.close();
}

function coordinatorLines(trial: SyntheticTrial): RecordLine[] {
  const endMs = START_MS + trial.seconds * 1000;
  const phases: [Phase, number][] = [
    ['warm-up', START_MS],
    ['measure', endMs - PROFILE_MS - MEASURE_MS],
    ['profile', endMs - PROFILE_MS],
    ['settle', endMs],
    ['done', endMs + 5000],
  ];
  return [
    processLine(trial, { role: 'coordinator' }),
    {
      type: 'trial',
      atMs: START_MS,
      cell: `synthetic-${trial.users}`,
      framework: trial.framework ?? 'synthetic',
      mode: 'noquill',
      users: trial.users,
      trial: 1,
      seed: trial.seed,
      processes: ['server', ...Array.from({ length: trial.users }, (_, user) => recordName({ role: 'user', user }))],
      writers: trial.users,
      clockErrorLimitMs: CLOCK_ERROR_LIMIT_MS,
    },
    ...phases.map(([phase, atMs]): RecordLine => ({ type: 'phase', atMs, phase })),
    { type: 'convergence', atMs: endMs + 4000, proof: 'reached' },
  ];
}

function serverLines(trial: SyntheticTrial): RecordLine[] {
  const lines: RecordLine[] = [
    processLine(trial, { role: 'server' }),
    { type: 'clock', atMs: START_MS, offsetMs: 0, errorMs: 0.1 },
  ];
  for (let second = 1; second <= trial.seconds; second++) {
    const atMs = START_MS + second * 1000;
    const bytes = second * trial.users * 400;
    lines.push(
      resourcesLine('server', atMs, { users: trial.users, cpuMs: second * 120, memoryBytes: 2e8 }),
      networkLine(atMs, { sentBytes: bytes * trial.users, receivedBytes: bytes }),
      { type: 'loop-delay', atMs, delays: delaysOf(5) },
      withheldLine(atMs),
    );
  }
  return lines;
}

function userLines(trial: SyntheticTrial, user: number, offsetMs: number, random: () => number): RecordLine[] {
  const lines: RecordLine[] = [processLine(trial, { role: 'user', user })];
  const own = (coordinatorMs: number) => coordinatorMs - offsetMs;
  for (let second = 1; second <= trial.seconds; second++) {
    const atMs = own(START_MS + second * 1000);
    if (second % 60 === 1) {
      lines.push({ type: 'clock', atMs, offsetMs: offsetMs + random() * 0.5, errorMs: 0.5 + random() });
    }
    lines.push({
      type: 'typing',
      atMs,
      offered: KEYS_PER_SECOND,
      performed: KEYS_PER_SECOND,
      skipped: 0,
      sigilsSkipped: 0,
      formats: 0,
      lagMs: Array.from({ length: KEYS_PER_SECOND }, () => round(random() * 20)),
      driverLagMs: Array.from({ length: KEYS_PER_SECOND }, () => round(random() * 2)),
    });
    if (second % 5 === 0) {
      lines.push(
        { type: 'document', atMs, characters: second * KEYS_PER_SECOND * trial.users },
        resourcesLine('chrome', atMs, { users: 1, cpuMs: second * 300, memoryBytes: 1e8 }),
        resourcesLine('driver', atMs, { users: 1, cpuMs: second * 4, memoryBytes: 2e7 }),
        networkLine(atMs, { sentBytes: second * 400, receivedBytes: second * 400 * trial.users }),
        { type: 'delay-line', atMs, delays: delaysOf(100) },
        withheldLine(atMs),
      );
    }
    if (second % 2 === 0) {
      const slowMs = [24, 24, 32];
      lines.push({ type: 'key-latency', atMs, keys: 2 * KEYS_PER_SECOND, slowMs, slowInteractionMs: slowMs });
    }
  }
  for (let count = 0; (count + 1) * SIGIL_PERIOD_MS <= trial.seconds * 1000; count++) {
    for (let sender = 0; sender < trial.users; sender++) {
      const sigil = `${base36(sender)}${base36(count)}@`;
      const sentMs = START_MS + ((sender / trial.users + count) * SIGIL_PERIOD_MS + 1);
      const sentAt = { dueMs: round(own(sentMs - 3)), sentMs: round(own(sentMs)) };
      if (sender === user) lines.push({ type: 'sigil-sent', sigil, ...sentAt });
      // Exponential: most arrive soon, a few late, as real ones do.
      const latencyMs = sender === user ? 10 + random() * 20 : 50 - 80 * Math.log(1 - random());
      lines.push({ type: 'sigil-shown', sigil, shownMs: round(own(sentMs + latencyMs)) });
      const change = CHANGES[(sender + count) % CHANGES.length]!;
      if (change === null) continue;
      const dueMs = round(own(sentMs + SIGIL_PERIOD_MS));
      if (sender === user) lines.push({ type: 'sigil-changed', sigil, change, dueMs, sentMs: dueMs });
      lines.push({ type: 'sigil-change-shown', sigil, change, shownMs: round(dueMs + latencyMs) });
    }
  }
  const endMs = own(START_MS + trial.seconds * 1000 + 4000);
  lines.push({ type: 'page-memory', atMs: endMs, heapBytes: 3e6, wasmBytes: 2e6 });
  lines.push({
    type: 'settled',
    atMs: endMs,
    modelDigest: 'd',
    shownModelDigest: 'd',
    editorDigest: 'd',
    editorTextDigest: 't',
    screenTextDigest: 't',
    characters: 1 + trial.seconds * KEYS_PER_SECOND * trial.users,
    insertedCharacters: trial.seconds * KEYS_PER_SECOND,
    deletedCharacters: 0,
    typedCharacters: trial.seconds * KEYS_PER_SECOND,
    savedStateBytes: 400_000,
    quillStateBytes: 200_000,
  });
  return lines;
}

function processLine(
  trial: SyntheticTrial,
  process: { role: 'user' | 'server' | 'coordinator'; user?: number },
): RecordLine {
  return {
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    ...process,
    framework: trial.framework ?? 'synthetic',
    frameworkVersion: '1.0.0',
    mode: 'noquill',
    node: '24.0.0',
    chrome: process.role === 'user' ? '140.0' : null,
    atMs: START_MS,
  };
}

function resourcesLine(
  of: 'chrome' | 'driver' | 'server',
  atMs: number,
  used: { users: number; cpuMs: number; memoryBytes: number },
): RecordLine {
  return { type: 'resources', atMs, of, host: 'local', cores: null, ...used };
}

function networkLine(atMs: number, bytes: { sentBytes: number; receivedBytes: number }): RecordLine {
  return { type: 'network', atMs, ...bytes, sentMessages: null, receivedMessages: null };
}

function withheldLine(atMs: number): RecordLine {
  return { type: 'withheld', atMs, cores: 2, stealMs: 0, throttledMs: 0 };
}

/** So many, in a dozen steps. */
function delaysOf(count: number): [number, number][] {
  return Array.from({ length: 12 }, (_, step): [number, number] => [Math.ceil(count / 2 ** (step + 1)), step * 0.125]);
}

function base36(number: number): string {
  return number.toString(36).padStart(2, '0');
}

/** Three decimals, as clocks in pages have them. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Material for tests: a small trial whose lines a test spells out, with the lines that every record needs around them. */
import { openRecordWriter } from '../../results/formats/record-file.ts';
import {
  type Phase,
  type RecordLine,
  type RecordOf,
  recordName,
  SCHEMA_VERSION,
} from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';

/** A round instant; the times of a hand-made trial count from here. */
export const ORIGIN_MS = 1_000_000;

export interface HandMadeUser {
  /** Coordinator's clock = this user's clock + offsetMs ± errorMs; one measurement each. */
  clocks: { offsetMs: number; errorMs: number }[];
  lines: RecordLine[];
}

export interface HandMadeTrial {
  users: HandMadeUser[];
  server?: RecordLine[];
  /** When each phase begins. */
  phases?: Partial<Record<Phase, number>>;
  version?: string;
  /** Of the browser that shows every user's page; none by default. */
  chrome?: string;
  /** The trial's number in its cell; 1 by default. */
  trial?: number;
}

/** Warm-up for ten seconds, then a measured window of ten seconds. */
const PHASES: Partial<Record<Phase, number>> = { 'warm-up': 0, measure: 10_000, settle: 20_000, done: 30_000 };

/** Writes the records of a trial into `directory`. */
export async function writeHandMadeTrial(directory: string, trial: HandMadeTrial): Promise<void> {
  const { users, server, phases = PHASES, version = '1.2.3', chrome = null, trial: number = 1 } = trial;
  const coordinator: RecordLine[] = [
    processLine({ role: 'coordinator' }, version),
    {
      type: 'trial',
      atMs: ORIGIN_MS,
      cell: 'x-noquill-2',
      framework: 'x',
      mode: 'noquill',
      users: users.length,
      trial: number,
      seed: 1,
    },
    ...Object.entries(phases).map(
      ([phase, atMs]): RecordLine => ({ type: 'phase', atMs: at(atMs), phase: phase as Phase }),
    ),
  ];
  await writeLines(directory, 'coordinator', coordinator);
  if (server) {
    const lines = [processLine({ role: 'server' }, version), clockLine({ offsetMs: 0, errorMs: 0 }), ...server];
    await writeLines(directory, 'server', lines);
  }
  for (const [user, { clocks, lines }] of users.entries()) {
    const all = [{ ...processLine({ role: 'user', user }, version), chrome }, ...clocks.map(clockLine), ...lines];
    await writeLines(directory, recordName({ role: 'user', user }), all);
  }
}

/** An instant of a hand-made trial, as records write it. */
export function at(ms: number): number {
  return ORIGIN_MS + ms;
}

export function sent(sigil: string, sentMs: number, dueMs = sentMs): RecordLine {
  return { type: 'sigil-sent', sigil, dueMs: at(dueMs), sentMs: at(sentMs) };
}

export function shown(sigil: string, shownMs: number): RecordLine {
  return { type: 'sigil-shown', sigil, shownMs: at(shownMs) };
}

export function typing(atMs: number, counts: { offered: number; performed: number; lagMs?: number[] }): RecordLine {
  const { offered, performed, lagMs = [] } = counts;
  const skipped = offered - performed;
  return { type: 'typing', atMs: at(atMs), offered, performed, skipped, formats: 0, lagMs, driverLagMs: [] };
}

export function resources(
  of: RecordOf<'resources'>['of'],
  atMs: number,
  used: Pick<RecordOf<'resources'>, 'cpuMs' | 'memoryBytes'> & { users?: number; cores?: number },
): RecordLine {
  return { type: 'resources', atMs: at(atMs), of, host: 'here', users: 1, cores: null, ...used };
}

export function network(atMs: number, sentBytes: number, receivedBytes: number): RecordLine {
  return { type: 'network', atMs: at(atMs), sentBytes, receivedBytes, sentMessages: null, receivedMessages: null };
}

export function settled(document: {
  characters: number;
  savedStateBytes: number;
  quillStateBytes: number;
}): RecordLine {
  const deltas = { modelDigest: 'd', shownModelDigest: 'd', editorDigest: 'd' };
  const texts = { editorTextDigest: 't', screenTextDigest: 't' };
  const counts = { insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 };
  return { type: 'settled', atMs: at(25_000), ...deltas, ...texts, ...counts, ...document };
}

async function writeLines(directory: string, name: string, lines: RecordLine[]): Promise<void> {
  const writer = openRecordWriter(recordPath(directory, name));
  writer.write(lines);
  await writer.close();
}

function clockLine({ offsetMs, errorMs }: { offsetMs: number; errorMs: number }, index = 0): RecordLine {
  return { type: 'clock', atMs: at(index), offsetMs, errorMs };
}

function processLine(
  process: { role: 'user' | 'server' | 'coordinator'; user?: number },
  frameworkVersion: string,
): RecordOf<'process'> {
  return {
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    ...process,
    framework: 'x',
    frameworkVersion,
    mode: 'noquill',
    node: '24.0.0',
    chrome: null,
    atMs: ORIGIN_MS,
  };
}

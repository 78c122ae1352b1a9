/** Material for tests: a small trial whose lines a test spells out, with the lines that every record needs around them. */
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openRecordWriter } from '../../results/formats/record-file.ts';
import {
  type Phase,
  type RecordLine,
  type RecordOf,
  recordName,
  SCHEMA_VERSION,
} from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import type { Reason } from '../../results/formats/verdict.ts';

/** A round instant; the times of a hand-made trial count from here. */
const ORIGIN_MS = 1_000_000;

/** Of the framework, where a test names none. */
export const HAND_MADE_VERSION = '1.2.3';

export interface HandMadeUser {
  /** Coordinator's clock = this user's clock + offsetMs ± errorMs; one measurement each. */
  clocks: { offsetMs: number; errorMs: number }[];
  lines: RecordLine[];
  /** By how much its page is slowed down; not at all by default. */
  cpuSlowdown?: number;
  /** False if its record has no end; else it has one, which says as little as may be where `lines` say nothing. */
  settles?: boolean;
}

export interface HandMadeTrial {
  users: HandMadeUser[];
  server?: RecordLine[];
  /** When each phase begins. */
  phases?: Partial<Record<Phase, number>>;
  version?: string;
  /** The least that each user's link adds, each way. */
  leastDelayMs?: number;
  /** Each user's TCP handshake with a server that somebody else runs. */
  handshakeMs?: number;
  /** For how long each user's client is to gather what it sends. */
  sendMs?: number;
  /** Of the browser that shows every user's page; none by default. */
  chrome?: string;
  /** So many of the users type, the first; all people by default. */
  writers?: number;
  /** So many users are live probes, and the others their crowd, `live` too by default; by default there is none. */
  probes?: number;
  crowd?: 'recorded' | 'live';
  crowdRestsOnOrder?: boolean;
  crowdPatched?: string;
  /** The last of `users` are these, beside the others; none by default. */
  company?: { agents: number; clientReaders: number; socketReaders: number };
  /** The store and other servers behind the server, by default nothing; or the document, if the server is somebody else's. */
  backing?: Pick<RecordOf<'trial'>, 'store' | 'servers' | 'affinity' | 'document'>;
  /** The trial's number in its cell; 1 by default. */
  trial?: number;
  /** The processes whose records are expected; by default those whose records are written. */
  processes?: string[];
  /** Within what users' clocks must be known; any by default. */
  clockErrorLimitMs?: number;
  /** By what the trial ended early. */
  faults?: Reason[];
  /** `reached` by default; null if the coordinator's record does not say. */
  proof?: RecordOf<'convergence'>['proof'] | null;
  /** Further lines of the coordinator. */
  coordinator?: RecordLine[];
}

/** Warm-up for ten seconds, then a measured window of ten seconds. */
const PHASES: Partial<Record<Phase, number>> = { 'warm-up': 0, measure: 10_000, settle: 20_000, done: 30_000 };

/** Writes the records of a trial into `directory`. */
export async function writeHandMadeTrial(directory: string, trial: HandMadeTrial): Promise<void> {
  const { users, server, version = HAND_MADE_VERSION, chrome = null, leastDelayMs, handshakeMs, sendMs } = trial;
  const head = (process: Parameters<typeof processLine>[0]) => processLine(process, version);
  const coordinator = [head({ role: 'coordinator' }), ...coordinatorLines(trial)];
  await writeLines(directory, 'coordinator', coordinator);
  if (server) {
    const lines = [head({ role: 'server' }), clockLine({ offsetMs: 0, errorMs: 0 }), ...server];
    await writeLines(directory, 'server', lines);
  }
  for (const [user, { clocks, lines, settles = true, cpuSlowdown }] of users.entries()) {
    const isSettled = !settles || lines.some(({ type }) => type === 'settled');
    const all = [
      { ...head({ role: 'user', user }), chrome, leastDelayMs, handshakeMs, sendMs, cpuSlowdown },
      ...clocks.map(clockLine),
      ...lines,
      ...(isSettled ? [] : [settled({ characters: null, savedStateBytes: null, quillStateBytes: null })]),
    ];
    await writeLines(directory, recordName({ role: 'user', user }), all);
  }
}

function coordinatorLines(given: HandMadeTrial): RecordLine[] {
  const { users, server, phases = PHASES, trial = 1, faults = [], proof = 'reached', coordinator = [] } = given;
  const { company = { agents: 0, clientReaders: 0, socketReaders: 0 } } = given;
  const userNames = users.map((_, user) => recordName({ role: 'user', user }));
  const { processes = [...(server ? ['server'] : []), ...userNames], clockErrorLimitMs, probes } = given;
  const crowd =
    probes === undefined
      ? {}
      : {
          ...{ probes, crowd: given.crowd ?? ('live' as const) },
          ...{ crowdRestsOnOrder: given.crowdRestsOnOrder, crowdPatched: given.crowdPatched },
        };
  const { agents, clientReaders, socketReaders } = company;
  const people = users.length - agents - clientReaders - Math.min(socketReaders, 1);
  const cell = { cell: 'x-noquill-2', framework: 'x', mode: 'noquill', users: people, trial, seed: 1 };
  const known = { processes, writers: given.writers ?? people, clockErrorLimitMs, ...given.company };
  return [
    { type: 'trial', atMs: ORIGIN_MS, ...cell, ...known, ...crowd, ...given.backing },
    ...Object.entries(phases).map(
      ([phase, atMs]): RecordLine => ({ type: 'phase', atMs: at(atMs), phase: phase as Phase }),
    ),
    ...coordinator,
    ...(proof === null ? [] : [{ type: 'convergence', atMs: at(26_000), proof } as const]),
    ...faults.map((fault): RecordLine => ({ type: 'fault', atMs: at(26_000), ...fault })),
  ];
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

/** A user's sigils that were whole with their last key, as its editor tells of them in the end. */
export function ownSigils(brokenAfterMs: Record<string, number | null>): RecordLine {
  const sigils = Object.entries(brokenAfterMs).map(([sigil, ms]) => ({ sigil, brokenAfterMs: ms, nearAfterMs: ms }));
  return { type: 'own-sigils', atMs: at(25_000), sigils };
}

export function typing(atMs: number, counts: { offered: number; performed: number; lagMs?: number[] }): RecordLine {
  const { offered, performed, lagMs = [] } = counts;
  const skipped = offered - performed;
  return {
    ...{ type: 'typing', atMs: at(atMs), offered, performed, skipped, sigilsSkipped: 0 },
    ...{ formats: 0, lagMs, driverLagMs: [] },
  };
}

/** The account of a user whose own edits are not there, and of whose nobody undid any. */
export const NO_EDITS = {
  insertedHash: 0,
  deletedOfOthersCharacters: 0,
  takenCharacters: 0,
  restoredCharacters: 0,
  restoredByChanceCharacters: 0,
  formats: 0,
  undoneFormats: 0,
  undoneFormatsByChance: 0,
  claimedCharacters: 0,
  claimedHash: 0,
  documentHash: 0,
};

export function resources(
  of: RecordOf<'resources'>['of'],
  atMs: number,
  used: Pick<RecordOf<'resources'>, 'cpuMs' | 'waitedMs' | 'memoryBytes'> & { users?: number; cores?: number },
): RecordLine {
  return { type: 'resources', atMs: at(atMs), of, host: 'here', users: 1, cores: null, ...used };
}

export function network(atMs: number, sentBytes: number, receivedBytes: number): RecordLine {
  return { type: 'network', atMs: at(atMs), sentBytes, receivedBytes, sentMessages: null, receivedMessages: null };
}

export function settled(
  document: Pick<RecordOf<'settled'>, 'characters' | 'savedStateBytes' | 'quillStateBytes'>,
): RecordOf<'settled'> {
  const deltas = { modelDigest: 'd', shownModelDigest: 'd', editorDigest: 'd' };
  const texts = { editorTextDigest: 't', screenTextDigest: 't' };
  const counts = { insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 };
  return { type: 'settled', atMs: at(25_000), ...deltas, ...texts, ...counts, ...document };
}

/** Changes the lines of a record that is written already. */
export async function rewriteRecord(path: string, change: (lines: string[]) => string[]): Promise<void> {
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  await writeFile(path, gzipSync(change(lines).join('\n')));
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

/** A real trial of a broken framework, without Chrome: its verdict, and its figures. */
import { basename } from 'node:path';
import { vi } from 'vitest';
import { cellJson } from '../../analysis/cell/cell-json.ts';
import { summarizeCell } from '../../analysis/cell/cells.ts';
import { readTrialFigures } from '../../analysis/trial/trial-figures.ts';
import { judge } from '../../analysis/verdict/judge.ts';
import { openRecords } from '../../analysis/views/database.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { resolveExperiment } from '../../harness/experiment/experiment-file.ts';
import { runTrial } from '../../harness/trial/trial.ts';
import { OWN_SERVER } from '../../harness/trial/trial-options.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { Edit } from '../../traces/edits.ts';
import { temporaryFolder } from '../folders.ts';
import type { BrokenFramework } from './broken-framework.ts';
import { inProcessFleet } from './in-process-fleet.ts';

vi.mock(import('../../harness/analysis.ts'), async (original) => ({
  ...(await original()),
  analyseTrial: judgeTogether,
}));

const frameworks = discoverFrameworks();
const USERS = 3;
/** Users of many trials share a thread: an answer may take its time, or a trial ends before the defect shows. */
const SOURCE = { ...OWN_SERVER, readingLimitMs: 30_000 };
const IDENTITY = { framework: 'broken', mode: 'noquill', users: USERS };

/** Words, lines and deletions near the cursor. */
export const PROSE: Edit[] = [
  ...[...'some words '].map((text): Edit => ({ kind: 'key', move: 0, text })),
  { kind: 'backspace', move: 0 },
  { kind: 'key', move: 0, text: '\n' },
  { kind: 'erase', move: -6, length: 3 },
  { kind: 'delete', move: -9 },
  { kind: 'key', move: 12, text: 'é' },
];
/** Nobody deletes anything. */
export const WORDS: Edit[] = PROSE.filter(({ kind }) => kind === 'key');
export const PASTES: Edit[] = [...PROSE, { kind: 'paste', move: -4, text: 'pasted words, ' }];
/** Everyone types at the document's end, where all others do. */
export const AT_THE_END: Edit[] = [{ kind: 'key', move: 100_000, text: 'x' }];
export const NO_FORMATS = { inline: 0, range: 0, block: 0 };
/** How long users may take to agree: a bound for a busy machine, since those who agree end the wait. */
export const LATEST = '30s';
const FORMATS = { inline: 0.05, range: 0.1, block: 0.05 };

export interface BrokenTrial {
  edits?: Edit[];
  formatOdds?: typeof FORMATS;
  send?: string;
  measure?: string;
  settle?: string;
  sigilPeriod?: string;
  changeSigils?: boolean;
  /** Each way. */
  delay?: string;
  keysPerSecond?: number;
}

/** @returns its verdict, and the codes of the reasons */
export async function judgeBroken(
  framework: BrokenFramework,
  trial: BrokenTrial = {},
): Promise<Pick<Verdict, 'verdict' | 'reasons' | 'notes'> & { codes: string[] }> {
  await using folder = await temporaryFolder();
  return await runBroken(framework, trial, folder.path);
}

/** @returns the figures of a cell of such a trial, were it valid, and how long each sigil took to each other screen */
export async function measureBroken(
  framework: BrokenFramework,
  trial: BrokenTrial = {},
): Promise<{ codes: string[]; cell: CellSummary; endToEndMs: Float64Array }> {
  await using folder = await temporaryFolder();
  const { codes } = await runBroken(framework, trial, folder.path);
  await using records = await openRecords([folder.path]);
  const figures = (await readTrialFigures(records))!;
  const verdict = { verdict: 'valid' as const, messages: [], converged: true };
  const cell = summarizeCell({ scenario: 'typing', parameters: IDENTITY, tier: 'library' }, [
    { trial: 1, ...verdict, version: '1', figures, isShortOfCores: false },
  ]);
  return {
    codes,
    cell: cellJson(cell, 'typing') as CellSummary,
    endToEndMs: figures.samples.endToEndLatencyMs ?? new Float64Array(),
  };
}

async function runBroken(framework: BrokenFramework, trial: BrokenTrial, directory: string) {
  const verdict = await runTrial({
    planned: { cell: 'broken-noquill-3', ...IDENTITY, trial: 1, seed: 1, directory: '' },
    experiment: await experimentWith(trial),
    version: '1',
    source: SOURCE,
    startText: '',
    editsFor: () => trial.edits ?? PROSE,
    fleet: inProcessFleet(framework),
    pageFolder: directory,
    directory,
    show: false,
    observer: { onPhase: () => {}, onRecords: () => {} },
    signal: new AbortController().signal,
  });
  return { ...verdict, codes: verdict.reasons.map(({ code }) => code) };
}

/** Longer than trials that began together are apart at their end. */
const GATHER_MS = 1000;
const waiting = new Map<string, PromiseWithResolvers<Verdict>>();

/** The verdict on the records of a folder: trials that end at about the same time share a database, to open which costs most. */
function judgeTogether(directory: string): Promise<Verdict> {
  const answer = Promise.withResolvers<Verdict>();
  if (waiting.size === 0) setTimeout(judgeWaiting, GATHER_MS);
  waiting.set(directory, answer);
  return answer.promise;
}

async function judgeWaiting(): Promise<void> {
  const asked = [...waiting];
  waiting.clear();
  try {
    await using records = await openRecords(asked.map(([directory]) => directory));
    const verdicts = await judge(records);
    for (const [directory, { resolve }] of asked) resolve(verdicts.get(basename(directory))!);
  } catch (error) {
    for (const [, { reject }] of asked) reject(error);
  }
}

async function experimentWith(trial: BrokenTrial) {
  const {
    formatOdds = FORMATS,
    send = '0s',
    measure = '2500ms',
    settle = '3s',
    sigilPeriod = '1s',
    changeSigils = false,
    delay = '0ms',
    keysPerSecond = 20,
  } = trial;
  return resolveExperiment(
    {
      name: 'broken',
      frameworks: ['yjs-relay'],
      modes: ['noquill'],
      users: [USERS],
      durations: { warmUp: '500ms', measure, profile: '0s', settle },
      typing: { keysPerSecond, sigilPeriod, formatOdds, changeSigils },
      batching: { send, sendFromUsers: 'always' },
      network: { oneWayDelay: delay },
    },
    { frameworks: await frameworks },
  );
}

/** From a trial's records to its verdict and its figures: read once, and kept beside them. */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRecordFile } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import { syncFolder, writeJson } from '../../results/formats/write-file.ts';
import { asReason } from '../../results/run-folder/run-files.ts';
import { SPEED_FIGURES } from '../figures/machine-speed.ts';
import { meanOfKnown } from '../statistics/quantile.ts';
import { type Finding, judge, unreadable, verdictFrom } from '../verdict/judge.ts';
import { judgeSurroundings } from '../verdict/surroundings-checks.ts';
import { openRecords } from '../views/database.ts';
import { hasFigures, originOf, readFigures, type TrialAnalysis, writeFigures } from './figures-file.ts';
import { readTrialFigures } from './trial-figures.ts';

/**
 * Analyses a trial whose records are closed, and writes its `figures.json`, and then its `verdict.json`, which says that it ended.
 *
 * @returns the verdict; `unknown` if the records cannot be read
 */
export async function analyseTrial(directory: string): Promise<Verdict> {
  return keep(directory, await analyseRecords(directory));
}

/** Writes the same of a trial that cannot be analysed: no figures, and the reason, so that no report tries again. */
export async function giveUpTrial(directory: string, reason: Reason): Promise<Verdict> {
  const verdict: Verdict = { ...unreadable(reason.message, directory), reasons: [reason] };
  return keep(directory, { verdict, version: await readVersion(directory), measured: null });
}

async function keep(directory: string, analysis: TrialAnalysis): Promise<Verdict> {
  await writeFigures(directory, analysis, await originOf(directory));
  // Once for all records: no verdict may outlast them.
  const records = dirname(recordPath(directory, 'any'));
  if (existsSync(records)) syncFolder(records);
  await writeJson(join(directory, VERDICT_FILE), analysis.verdict);
  return analysis.verdict;
}

/**
 * A trial by today's checks: its `figures.json`, if it is of these records and this analysis; else its records are read.
 *
 * @param options.keeps true: `figures.json` is then written, but of records that give no figures any more nothing replaces them
 */
export async function readTrial(directory: string, { keeps }: { keeps: boolean }): Promise<TrialAnalysis> {
  const origin = await originOf(directory);
  const known = await readFigures(directory, origin);
  if (known !== null) return known;
  const analysis = await analyseRecords(directory);
  const loses = analysis.measured === null && (await hasFigures(directory));
  if (keeps && !loses) await writeFigures(directory, analysis, origin).catch(unlessReadOnly);
  return analysis;
}

/** The run may be another's: its figures can be told without being kept. */
function unlessReadOnly(error: NodeJS.ErrnoException): void {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error;
}

async function analyseRecords(directory: string): Promise<TrialAnalysis> {
  if (existsSync(recordPath(directory, DOCUMENT_RECORD))) return analyseDocumentTrial(directory);
  const version = await readVersion(directory);
  const analysis = await asReason(async (): Promise<TrialAnalysis> => {
    await using records = await openRecords([directory]);
    const verdict = (await judge(records)).get(basename(directory))!;
    const measured = await asReason(async () => ({ figures: await readTrialFigures(records) }));
    if (typeof measured !== 'string') return { verdict, version, measured: measured.figures };
    return {
      verdict: verdict.verdict === 'valid' ? unreadable(measured, directory) : verdict,
      version,
      measured: null,
    };
  });
  return typeof analysis === 'string'
    ? { verdict: unreadable(analysis, directory), version, measured: null }
    : analysis;
}

/** The framework's version as the coordinator wrote it, null if its record cannot be read. */
async function readVersion(directory: string): Promise<string | null> {
  const read = await asReason(async () => {
    for await (const line of readRecordFile(recordPath(directory, 'coordinator'))) {
      if (line.type === 'process') return { version: line.frameworkVersion };
    }
    return { version: null };
  });
  return typeof read === 'string' ? null : read.version;
}

/** The name of the one record of a document scenario's trial. */
export const DOCUMENT_RECORD = 'trial';

/** If the record cannot be read, the verdict is `unknown`, with the reason. */
async function analyseDocumentTrial(directory: string): Promise<TrialAnalysis> {
  const lines = await asReason(() => Array.fromAsync(readRecordFile(recordPath(directory, DOCUMENT_RECORD))));
  return typeof lines === 'string'
    ? { verdict: unreadable(lines, directory), version: null, measured: null }
    : judgeDocumentTrial(lines);
}

/** Failures that a subject with too little time would show too; such a machine explains them, as in a trial where people type. */
const SLOW_FAILURES: readonly string[] = ['out-of-time', 'never-ready', 'not-joined', 'client-lost'];

/** By the record's lines: a trial that is not done is not valid, and neither is one that tells of a failure or a fault. */
export function judgeDocumentTrial(lines: readonly RecordLine[]): TrialAnalysis {
  const all = <Type extends RecordLine['type']>(type: Type) =>
    lines.filter((line): line is Extract<RecordLine, { type: Type }> => line.type === type);
  const [subject] = all('subject');
  const findings: Finding[] = [
    ...all('fault').map(({ code = 'fault', message }) => ({ code, message, makes: 'invalid' as const, voids: true })),
    ...all('failure').map(({ code, message }) => ({
      code,
      message,
      makes: 'failed' as const,
      ...(SLOW_FAILURES.includes(code) && { slowness: 'could be' as const }),
    })),
  ];
  if (findings.length === 0 && (all('done').length === 0 || subject === undefined)) {
    findings.push({ code: 'cut-off', message: 'its record ends before the trial did', makes: 'invalid' });
  }
  findings.push(
    ...all('note').map(({ code, message }) => ({ code, message, makes: 'note' as const })),
    ...judgeSurroundings(all('surroundings')),
  );
  return {
    verdict: verdictFrom(findings, null),
    version: subject?.version ?? null,
    measured: {
      columns: {
        ...Object.fromEntries(all('figure').map(({ figure, value }) => [figure, value])),
        [SPEED_FIGURES.oneCore]: meanOfKnown(all('machine-speed').map(({ oneCore }) => oneCore)),
        [SPEED_FIGURES.allCores]: meanOfKnown(all('machine-speed').map(({ allCores }) => allCores)),
      },
      samples: {},
      buckets: [],
      faults: [],
      curves: Object.fromEntries(all('curve').map(({ curve, x, y }) => [curve, { x, y }])),
    },
  };
}

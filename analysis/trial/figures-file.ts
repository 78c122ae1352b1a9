/** A trial's `figures.json`: written, read, and known to be out of date if its records or the analysis are others now. */

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { readBoundedFile } from '../../results/formats/bounded-file.ts';
import { sha256Of } from '../../results/formats/digest.ts';
import { FIGURES_SCHEMA_VERSION, type FiguresFile, figuresSchema } from '../../results/formats/figures.ts';
import { FIGURES_FILE } from '../../results/formats/run-directory.ts';
import { recordsDigest } from '../../results/formats/trial-records.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import type { Measured } from '../figures/pooling.ts';
import type { TrialFault } from '../resilience/fault-figures.ts';
import type { TrialFigures } from './trial-figures.ts';

/** A trial by its records alone. */
export interface TrialAnalysis {
  verdict: Verdict;
  /** Of the framework, engine or store; null if the records do not tell. */
  version: string | null;
  /** Figures, with any verdict; null if the records give none. */
  measured: TrialFigures | null;
}

/** Of which analysis and which records a `figures.json` is. */
type Origin = Pick<FiguresFile, 'analysis' | 'records'>;

export async function originOf(trialDirectory: string): Promise<Origin> {
  return { analysis: await analysisDigest(), records: await recordsDigest(trialDirectory) };
}

/**
 * @param options.mostUnpackedBytes the most that its samples may unpack to
 * @returns null if there is none, or one of other records, another analysis or another form
 */
export async function readFigures(
  trialDirectory: string,
  origin: Origin,
  { mostUnpackedBytes = MOST_UNPACKED_BYTES }: { mostUnpackedBytes?: number } = {},
): Promise<TrialAnalysis | null> {
  const file = figuresSchema.safeParse(await parsedFile(trialDirectory));
  if (!file.success) return null;
  const { analysis, records, verdict, version, measured } = file.data;
  if (analysis !== origin.analysis || records !== origin.records) return null;
  try {
    return { verdict, version, measured: measured && decoded(measured, mostUnpackedBytes) };
  } catch {
    // Its samples are no numbers, or too many.
    return null;
  }
}

/** True if there are figures, of whichever records and analysis. */
export async function hasFigures(trialDirectory: string): Promise<boolean> {
  const file = await parsedFile(trialDirectory);
  return Boolean((file as Partial<FiguresFile> | null | undefined)?.measured);
}

/** @throws the file system's error where the folder cannot be written to */
export async function writeFigures(
  trialDirectory: string,
  { verdict, version, measured }: TrialAnalysis,
  origin: Origin,
): Promise<void> {
  const file: FiguresFile = {
    schemaVersion: FIGURES_SCHEMA_VERSION,
    ...origin,
    ...{ verdict, version },
    measured: measured && {
      ...encoded(measured),
      buckets: measured.buckets.map(({ phase, ...bucket }) => ({ phase, ...encoded(bucket) })),
      faults: measured.faults.map((fault) => ({ ...fault })),
      curves: measured.curves,
    },
  };
  await writeFileAtomically(join(trialDirectory, FIGURES_FILE), `${JSON.stringify(file)}\n`);
}

/** A large trial has a million samples, of 8 bytes each when they are unpacked. */
const MOST_BYTES = 256 * 2 ** 20;
const MOST_UNPACKED_BYTES = 2 ** 29;

/** Undefined of what is not there, is too large or no JSON, as no schema has it. */
async function parsedFile(trialDirectory: string): Promise<unknown> {
  try {
    return JSON.parse((await readBoundedFile(join(trialDirectory, FIGURES_FILE), MOST_BYTES)).toString());
  } catch (error) {
    const { code = 'ENOENT' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw error;
    return undefined;
  }
}

type EncodedFigures = NonNullable<FiguresFile['measured']>;

function encoded({ columns, samples }: Measured): Pick<EncodedFigures, 'columns' | 'samples'> {
  const text = ({ buffer, byteOffset, byteLength }: Float64Array) =>
    deflateRawSync(Buffer.from(buffer, byteOffset, byteLength), { level: 1 }).toString('base64');
  return {
    columns,
    samples: Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, text(values)])),
  };
}

/** @throws Error if its samples are none, or too many */
function decoded(
  { columns, samples, buckets, faults, curves }: EncodedFigures,
  mostUnpackedBytes: number,
): TrialFigures {
  const room = { leftBytes: mostUnpackedBytes };
  return {
    columns,
    samples: decodedSamples(samples, room),
    buckets: buckets.map((bucket) => ({ ...bucket, samples: decodedSamples(bucket.samples, room) })),
    faults: faults as unknown as TrialFault[],
    curves,
  };
}

function decodedSamples(samples: EncodedFigures['samples'], room: { leftBytes: number }): Measured['samples'] {
  return Object.fromEntries(
    Object.entries(samples).map(([name, text]) => {
      // A copy of its own: a pool of Node's buffers need not begin where a double may.
      const bytes = new Uint8Array(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: room.leftBytes }));
      room.leftBytes -= bytes.length;
      return [name, new Float64Array(bytes.buffer)];
    }),
  );
}

/** The folders with all that an analysis of a trial imports; tests/architecture.test.ts knows them too. */
export const ANALYSIS_SOURCES =
  '{analysis/{figures,resilience,statistics,trial,verdict,views},results/formats}/*.{ts,sql}';
const ROOT = join(import.meta.dirname, '../..');

let digest: Promise<string> | undefined;

/** Digest of the analysis' sources: a changed check or figure needs no version number that somebody must raise. */
function analysisDigest(): Promise<string> {
  digest ??= (async () => {
    const paths = (await Array.fromAsync(glob(ANALYSIS_SOURCES, { cwd: ROOT }))).filter(
      (path) => !/\.test\.ts$/.test(path),
    );
    const texts = await Promise.all(paths.sort().map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')]));
    return sha256Of(JSON.stringify(texts));
  })();
  return digest;
}

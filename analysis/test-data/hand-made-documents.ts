/** Material for tests: a run of a document scenario, each trial told by its lines. */
import { join } from 'node:path';
import { openRecordWriter } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { analyseTrial } from '../trial/analyse-trial.ts';

/** A round instant. */
export const DOCUMENT_AT_MS = 1_700_000_000_000;

export const done: RecordLine = { type: 'done', atMs: DOCUMENT_AT_MS };

export const subject = (engine: string): RecordLine => ({
  type: 'subject',
  schemaVersion: 2,
  scenario: 'replay',
  of: { engine, observe: 'edits', repeat: 1 },
  version: '1.2.3',
  atMs: DOCUMENT_AT_MS,
});

/** The lines of a valid trial. */
export const valid = (engine: string, applyMs: number): RecordLine[] => [
  subject(engine),
  { type: 'figure', figure: 'applyMs', value: applyMs },
  { type: 'figure', figure: 'savedKiB', value: 100 },
  { type: 'curve', curve: 'editMicroseconds', x: [1000, 2000], y: [applyMs / 10, applyMs / 5] },
  done,
];

/** @param trials the lines of each trial, by engine */
export async function writeHandMadeDocuments(directory: string, trials: Record<string, RecordLine[][]>): Promise<void> {
  const planned = Object.entries(trials).flatMap(([engine, each]) =>
    each.map((lines, index) => ({
      cell: `${engine}-edits-1`,
      of: { engine, observe: 'edits', repeat: 1 },
      trial: index + 1,
      seed: 1,
      directory: `trials/${engine}-edits-1-${index + 1}`,
      lines,
    })),
  );
  await writeJson(join(directory, 'plan.json'), {
    schemaVersion: 1,
    startedAt: '2026-12-01T08:00:00.000Z',
    experiment: { name: 'hand-made', scenario: 'replay', trace: 'automerge-paper' },
    trials: planned.map(({ lines: _, ...trial }) => trial),
  });
  await writeJson(join(directory, 'environment.json'), { cpu: 'one', cores: 2 });
  for (const { lines, directory: trial } of planned) {
    const record = openRecordWriter(recordPath(join(directory, trial), 'trial'));
    record.write(lines);
    await record.close();
    await analyseTrial(join(directory, trial));
  }
}

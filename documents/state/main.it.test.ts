/** The process of a trial. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { measuringCommand, runMeasuringProcess } from '../measuring-process.ts';
import { bytesOf } from '../replay/edits.ts';
import { editsFrom } from '../test-data/edits-from.ts';
import { toldIn } from '../test-data/told-in.ts';
import type { StateTask } from './main.ts';

const folder = folderOfEachTest();

async function figuresOf(task: StateTask): Promise<Record<string, number>> {
  const lines: RecordLine[] = [];
  const command = measuringCommand(join(import.meta.dirname, 'main.ts'), task);
  const { signal } = new AbortController();
  await runMeasuringProcess({ command, limitMs: 60_000, signal, write: (line) => lines.push(line) });
  return toldIn(lines).figures;
}

test('a saved document is timed, and the file that it is read from is not taken off the memory that it takes', async () => {
  const text = 'scriptorium '.repeat(50_000);
  const edits = folder.in('edits');
  await writeFile(edits, bytesOf({ ...editsFrom([[0, 0, text]]), endContent: text }));
  const task = { engine: 'yjs', edits, state: folder.in('saved'), warmUps: 1, repetitions: 2 };
  const saved = await figuresOf({ ...task, step: 'save', identity: 0.3, encoding: 'V1' });
  expect(saved).toMatchObject({ characters: text.length, saveMs: expect.any(Number) });
  expect(saved.savedKiB).toBeGreaterThan(500);
  const { externalMiB, loadMs } = await figuresOf({ ...task, step: 'load' });
  expect(loadMs).toBeGreaterThan(0);
  // Yjs has it on the heap; the file is half a MiB.
  expect(Math.abs(externalMiB!)).toBeLessThan(0.05);
});

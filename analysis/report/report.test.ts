import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAN_FILE, recordPath } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { reasonsOf } from '../cell/messages.ts';
import type { Reported } from '../page/report-page.ts';
import { type HandMadeFigures, writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { rewriteRecord } from '../test-data/hand-made-trial.ts';
import { writeReport } from './report.ts';

const folder = folderOfEachTest();
let run: string;
beforeEach(async () => {
  run = folder.in('run');
});

const figures = (localMs: number): { figures: HandMadeFigures } => ({
  figures: { localMs, endToEndMs: 100, serverCpuPercent: 2 },
});
const THREE = [figures(10), figures(20), figures(40)];
const writeRun = (directory: string, given: Parameters<typeof writeHandMadeRun>[1]) =>
  writeHandMadeRun(directory, { isAnalysed: true, ...given });
const trialFolder = (trial: number) => join(run, `trials/x-noquill-2-${trial}`);

async function filesBelow(directory: string): Promise<Map<string, string>> {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(
    await Promise.all(paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'latin1')])),
  );
}

describe('a report on three trials', () => {
  const three = folderOfAllTests();
  let data: Reported;
  beforeAll(async () => {
    await writeHandMadeRun(three.path, { trials: THREE });
    ({ page: data } = await writeReport([three.path]));
  });

  test('golden: its data, from records to intervals', () => {
    expect(data.runs).toMatchObject([
      { directory: '.', experiment: 'small', plannedTrials: 3, finishedTrials: 3, validTrials: 3 },
    ]);
    expect(data.problems).toEqual([]);
    const [cell] = data.cells;
    // Six sigils of 10 ms, six of 20, six of 40: their median is 20.
    expect(cell!.figures).toMatchObject({ 'localLatencyMs.p50': 20, 'localLatencyMs.samples': 18 });
    // Logarithms: mean ln 20, standard deviation ln 2; 4.30265 · 0.693147 / √3 = 1.721885; 20 · e^±1.721885.
    expect(cell!.ci95['localLatencyMs.p50']!.low).toBeCloseTo(3.5746, 3);
    expect(cell!.ci95['localLatencyMs.p50']!.high).toBeCloseTo(111.901, 2);
    expect(cell!.ran.map((trial) => trial.figures!['localLatencyMs.p50'])).toEqual([10, 20, 40]);
    // Typing takes 20 s: two buckets. The second is the measured window, with all sigils; each trial's server took
    // 160 ms of CPU in 8 s.
    expect(cell!.series).toMatchObject([
      { fromS: 0, phase: 'warm-up', figures: { throughputPercent: null, 'localLatencyMs.p50': null } },
      {
        fromS: 10,
        phase: 'measure',
        figures: {
          throughputPercent: 100,
          ...{ 'localLatencyMs.p50': 20, 'localLatencyMs.p95': null, 'localLatencyMs.samples': 18 },
          ...{ 'endToEndLatencyMs.p50': 100, 'endToEndLatencyMs.samples': 18 },
          ...{ serverCpuPercent: 2, userCpuPercent: null, longTaskPercent: null },
        },
      },
    ]);
  });
});

describe('a report on one run', () => {
  test('the same records give the same bytes, and every file is there', async () => {
    await writeRun(run, { trials: [figures(10)] });
    const options = { published: true, parquet: true };
    await writeReport([run], options);
    const first = await filesBelow(run);
    // A file with another time is read again, instead of being remembered.
    await utimes(recordPath(trialFolder(1), 'server'), 1, 1);
    await writeReport([run], options);
    expect(await filesBelow(run)).toEqual(first);
    for (const name of [
      'summary.json',
      'report.html',
      'summary.csv',
      'tables.md',
      'tables.tex',
      'series/x-noquill-2.csv',
    ]) {
      expect([...first.keys()]).toContain(join(run, name));
    }
    expect([...first.keys()]).toContain(join(run, 'parquet/receipts/x-noquill-2-1.parquet'));
  });

  test('published numbers stand apart, and only where asked for', async () => {
    await writeRun(run, { trials: [figures(10)] });
    await writeReport([run]);
    expect(await readFile(join(run, 'tables.md'), 'utf8')).not.toContain('ShareDB');
    const { page: data } = await writeReport([run], { published: true });
    const tables = await readFile(join(run, 'tables.md'), 'utf8');
    expect(tables.indexOf('# Published numbers, not measured here')).toBeGreaterThan(tables.indexOf('Saved state'));
    expect(tables).toContain('| ShareDB | 112 |');
    expect(data.published!.missing.length).toBeGreaterThan(0);
  });

  test('tables for a user count that no cell has are refused, with the counts that there are', async () => {
    await writeRun(run, { trials: [figures(10)] });
    await expect(writeReport([run], { users: 7 })).rejects.toThrow('no cell has 7 users; there are cells with 2');
  });

  test('a run from elsewhere cannot have files written outside of the report’s folder', async () => {
    await writeRun(run, { trials: [figures(10)] });
    const plan = JSON.parse(await readFile(join(run, PLAN_FILE), 'utf8'));
    for (const wrong of [{ cell: '../../x' }, { directory: '../other' }, { directory: '/tmp' }]) {
      await writeJson(join(run, PLAN_FILE), { ...plan, trials: [{ ...plan.trials[0], ...wrong }] });
      await expect(writeReport([run])).rejects.toThrow(/plan\.json is not as a run writes it/);
    }
  });

  test('CPU profiles are named relative to the report, which writes into its own folder only', async () => {
    await writeRun(run, { trials: [figures(10)] });
    await mkdir(join(trialFolder(1), 'profiles'));
    await writeFile(join(trialFolder(1), 'profiles/server.cpuprofile'), '{}');
    const before = await filesBelow(run);
    const { page: data } = await writeReport([run], { outDirectory: folder.in('out'), parquet: true });
    // Another's run may be read-only: with a folder of its own, the report writes nothing into it.
    expect(await filesBelow(run)).toEqual(before);
    expect(await readdir(folder.in('out'))).toContain('summary.json');
    expect(data.cells[0]!.ran[0]!.cpuProfiles).toEqual(['../run/trials/x-noquill-2-1/profiles/server.cpuprofile']);
    expect(data.runs[0]!.directory).toBe('../run');
  });
});

test('a run of which no trial has ended gives a report all the same', async () => {
  await writeRun(run, { trials: [null] });
  const { page: data } = await writeReport([run]);
  expect(data).toMatchObject({ cells: [], problems: ['small: 1 of 1 planned trials have not run'] });
});

describe('what is wrong with a run', () => {
  test('each is named and counted, and the rest stands', async () => {
    await writeRun(run, {
      trials: [...THREE, figures(80), { ...figures(80), fault: { code: 'lost', message: 'user 1 was lost' } }, null],
    });
    const cutOff = recordPath(trialFolder(2), 'user-001');
    await truncate(cutOff, (await readFile(cutOff)).length - 12);
    const withoutClock = (lines: string[]) => lines.filter((line) => !line.includes('"clock"'));
    await rewriteRecord(recordPath(trialFolder(4), 'server'), withoutClock);
    const { page: data } = await writeReport([run]);
    expect(data.problems).toEqual([
      'small: 1 of 6 planned trials have not run',
      'small: 2 of 5 trials are left out of the figures',
      expect.stringMatching(/^small: x-noquill-2, trial 2 is unknown: .*user-001\.ndjson\.gz is cut off or damaged/),
      'small: x-noquill-2, trial 5 is invalid: user 1 was lost',
      expect.stringMatching(
        /trial 2: the verdict: changed from valid to unknown when it was judged again: .*user-001\.ndjson\.gz is cut off/,
      ),
      'small: x-noquill-2, trial 4: the server: no record, or none with a measurement of its clock, so its CPU, memory and network are not known',
    ]);
    // 10, 40 and 80 ms, six sigils each.
    expect(data.cells[0]!.figures['localLatencyMs.p50']).toBe(40);
    // The server's CPU is known of two trials.
    expect(data.cells[0]!.figures.serverCpuPercent).toBe(2);
    expect(data.cells[0]!.ci95.serverCpuPercent).toBeNull();
  });

  test('clocks that are known too badly, or disagree with the sigils, leave a trial out', async () => {
    await writeRun(run, {
      conditions: { limits: { clockErrorMs: 0.5 } },
      trials: [figures(10), { figures: { localMs: 10, endToEndMs: -500, serverCpuPercent: 2 } }],
    });
    const { page: data } = await writeReport([run]);
    const [drifting, contradicted] = data.cells[0]!.ran;
    // One measurement, 1 ms uncertain: whatever drift is added to it, that is more than 0.5 ms.
    const uncertain = expect.stringMatching(
      /^user-000, user-001: the clock is not known well enough \(.*, limit 0\.5 ms\)/,
    );
    expect(reasonsOf(drifting!.messages)).toEqual([uncertain]);
    const early = 'showed on a screen before they were sent, by more than the measured clock errors)';
    expect(reasonsOf(contradicted!.messages)).toEqual([
      uncertain,
      `user-000: the clocks disagree (6 of 6 sigils that it sent ${early}`,
      `user-001: the clocks disagree (6 of 6 sigils that it received ${early}`,
    ]);
    expect(data.cells[0]!.validTrials).toBe(0);
  });
});

describe('a report on several runs', () => {
  test('keeps their cells apart, and leaves out a folder that is no run', async () => {
    const other = folder.in('other');
    await writeRun(run, { trials: [figures(10)] });
    await writeRun(other, { trials: [figures(10)], startedAt: '2027-01-02T00:00:00.000Z' });
    const outDirectory = folder.in('out');
    const { page: data } = await writeReport([run, folder.path, other], { outDirectory });
    expect(data.cells.map((cell) => [cell.run, cell.name])).toEqual([
      [0, 'x-noquill-2'],
      [1, 'x-noquill-2'],
    ]);
    expect(data.problems).toEqual([expect.stringMatching(/^left out: .* holds no run: there is no plan\.json in it/)]);
    expect(await readdir(join(outDirectory, 'series'))).toEqual(['run-1-x-noquill-2.csv', 'run-2-x-noquill-2.csv']);
    expect(await readdir(outDirectory)).toEqual(
      expect.arrayContaining(['run-1-summary.json', 'run-2-summary.json', 'summary.csv']),
    );
    await expect(writeReport([run, other])).rejects.toThrow(/--out/);
    await expect(writeReport([run, run], { outDirectory })).rejects.toThrow(/is given twice/);
  });

  test('refuses one name for different conditions, but not for other cells', async () => {
    const other = folder.in('other');
    const outDirectory = folder.in('out');
    const conditions = (measureMs: number, frameworks: string[]) => ({ durations: { measureMs }, frameworks });
    await writeRun(run, { trials: [figures(10)], conditions: conditions(60_000, ['x']) });
    await writeRun(other, { trials: [figures(10)], conditions: conditions(30_000, ['x']) });
    await expect(writeReport([run, other], { outDirectory })).rejects.toThrow(
      /both called "small".*\n {2}durations\.measureMs: 60000 \/ 30000\n/,
    );
    await writeRun(other, { trials: [figures(10)], conditions: conditions(60_000, ['x', 'y']) });
    expect((await writeReport([run, other], { outDirectory })).page.runs).toHaveLength(2);
  });

  test('without any run that can be read, it says so of each', async () => {
    await expect(writeReport([folder.path], {})).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
  });
});

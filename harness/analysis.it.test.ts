import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { writeHandMadeRun } from '../analysis/test-data/hand-made-run.ts';
import { WORK_FOLDER } from '../infra/project.ts';
import { FIGURES_FILE, VERDICT_FILE } from '../results/formats/run-directory.ts';
import { UserError } from '../results/user-error.ts';
import { folderOfAllTests } from '../tests/folders.ts';
import { analyseTrial, pageScript, summarizeRun } from './analysis.ts';

// Not the one of tests/one-analysis.ts.
vi.unmock(import('./analysis.ts'));

const folder = folderOfAllTests();
beforeAll(async () => {
  const figures = { localMs: 30, endToEndMs: 300, serverCpuPercent: 20 };
  await writeHandMadeRun(folder.path, { trials: [{ figures }, { figures }] });
});
afterEach(() => vi.unstubAllEnvs());

test('trials are judged and runs summed up, and this process does not come to hold the database', async () => {
  const { verdict } = await analyseTrial(folder.in('trials/x-noquill-2-1'));
  expect(verdict).toBe('valid');
  const { cells } = await summarizeRun(folder.path);
  expect(cells.map(({ trials }) => trials)).toEqual([2]);
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  expect(sharedObjects.length).toBeGreaterThan(0);
  expect(sharedObjects.filter((path) => path.includes('duckdb'))).toEqual([]);
});

test('what goes wrong there is told here, as the same kind of error', async () => {
  const failing = summarizeRun(folder.in('nowhere'));
  await expect(failing).rejects.toThrow('holds no run');
  await expect(failing).rejects.toBeInstanceOf(UserError);
});

/** Has the next processes of the analysis be killed, as if memory ran out, before they answer. */
async function dying(times: number): Promise<void> {
  const deaths = await mkdtemp(folder.in('deaths-'));
  for (let death = 1; death <= times; death++) await writeFile(join(deaths, `${death}`), '');
  const script = `import { readdirSync, rmSync } from 'node:fs';
    const [next] = process.argv[1].endsWith('analysis-main.ts') ? readdirSync(${JSON.stringify(deaths)}) : [];
    if (next) {
      rmSync(${JSON.stringify(`${deaths}/`)} + next);
      process.kill(process.pid, 'SIGKILL');
    }`;
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(script)}`);
}

test('a task whose process is killed is tried again', async () => {
  await dying(1);
  expect(await analyseTrial(folder.in('trials/x-noquill-2-1'))).toMatchObject({ verdict: 'valid' });
});

test('a trial that its analysis dies of is unknown, and no report tries again', async () => {
  await dying(2);
  const trial = folder.in('trials/x-noquill-2-2');
  const records = await readdir(join(trial, 'records'));
  // A verdict that was written before stands.
  expect(await analyseTrial(trial)).toMatchObject({ verdict: 'valid' });
  await rm(join(trial, VERDICT_FILE));
  await dying(2);
  const verdict = await analyseTrial(trial);
  const message = expect.stringMatching(
    /^the process that analyses it ended by SIGKILL.*, 2 times → remove its figures/s,
  );
  expect(verdict).toMatchObject({ verdict: 'unknown', reasons: [{ code: 'analysis-process', message }] });
  expect(JSON.parse(await readFile(join(trial, VERDICT_FILE), 'utf8'))).toEqual(verdict);
  expect((await summarizeRun(folder.path)).cells).toMatchObject([
    { trials: 2, validTrials: 1, verdict: 'partly valid' },
  ]);
  expect(await readdir(join(trial, 'records'))).toEqual(records);
  // As the reason advises.
  await rm(join(trial, FIGURES_FILE));
  expect((await summarizeRun(folder.path)).cells).toMatchObject([{ validTrials: 2 }]);
});

test('a page’s script is bundled once for all processes', async () => {
  const entry = folder.in('page.ts');
  await writeFile(entry, 'document.title = "first";');
  const script = await pageScript(entry);
  expect(script).toContain('first');
  await writeFile(entry, 'document.title = "second";');
  vi.resetModules();
  const another = await import('./analysis.ts');
  expect(await another.pageScript(entry)).toBe(script);
  const scripts = join(WORK_FOLDER, 'scripts');
  const kept = (await readdir(scripts)).filter((name) => name.includes(basename(folder.path)));
  expect(kept).toHaveLength(1);
  await rm(join(scripts, kept[0]!), { recursive: true });
});

import { afterAll, expect, test, vi } from 'vitest';
import { runExperiment } from '../harness/run/run.ts';
import type { Summary } from '../results/formats/summary.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { never, quietObserver, verdictRunner } from '../tests/runs.ts';
import { type CampaignFlags, runCampaignHere } from './campaign-command.ts';
import { runAndWatch } from './run-command.ts';

vi.mock(import('./run-command.ts'), async (original) => ({
  ...(await original()),
  runAndWatch: vi.fn(async () => ({}) as Summary),
}));

const folder = folderOfEachTest();
afterAll(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
});

/** A campaign of two experiments at a server of somebody else. */
async function run(users: number, flags: CampaignFlags = {}, experiment = 'attach') {
  const entries = ['one', 'two'].map(
    (name) => `{ name: ${name}, experiment: ${experiment}, with: { modes: node, users: ${users} } }`,
  );
  const part = `{ name: there, question: How many?, blocks: 1, entries: [${entries.join(', ')}] }`;
  await folder.put('tiny.yaml', `name: tiny\nparts: [${part}]\n`);
  const options = { out: folder.in('out'), quiet: true, ...flags };
  const awaitQuiet = async () => ({ speed: null, load: 0, busyPercent: 0, stealPercent: 0 });
  return runCampaignHere(folder.in('tiny.yaml'), options, { awaitQuiet });
}

test('many users at a server of somebody else are refused before any block begins, and its plan is printed', async () => {
  await expect(run(101)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('say --yes') });
  expect((await run(101, { plan: true })).left).toBe(1);
  expect(runAndWatch).not.toHaveBeenCalled();
});

test('refusals of a server are counted over all turns of a block', async () => {
  await run(2);
  const [first, second] = vi.mocked(runAndWatch).mock.calls.map(([, , , turn]) => turn?.refusals);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test('a trial whose command ended before its summary was written is in the next report', async () => {
  vi.mocked(runAndWatch).mockImplementation(async (typed, directory, _flags, turn) => {
    const options = {
      ...typed,
      ...turn,
      directory,
      resume: false,
      show: false,
      observer: quietObserver(),
      signal: never,
    };
    const summarize = async () => ({}) as Summary;
    return runExperiment(options, { open: async () => verdictRunner({}), summarize });
  });
  await run(2, {}, 'smoke');
  const { text, left } = await run(2, { report: true }, 'smoke');
  expect(left).toBe(0);
  expect(text).toMatch(/\| one \| yjs node 2 \| invalid \|/);
  expect(text).toMatch(/\| two \| yjs node 2 \| invalid \|/);
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepRun, keptNames, readKept, runFoldersIn } from '../analysis/site/kept-runs.ts';
import { poolCampaigns } from '../analysis/site/pool-campaigns.ts';
import type { SeenMachine } from '../harness/machine/quiet-machine.ts';
import { sha256Of } from '../results/formats/digest.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { UserError } from '../results/user-error.ts';
import { folderOfAllTests } from '../tests/folders.ts';
import { PLANNED, verdictRunner } from '../tests/runs.ts';
import { type CampaignFlags, runCampaignHere } from './campaign-command.ts';

const CAMPAIGN = `
name: tiny
parts:
  - name: typing
    question: How soon do others see what I type?
    blocks: 2
    deposit: true
    entries:
      - name: two
        experiment: smoke
        with:
          frameworks: [yjs, sharedb]
          modes: node
          durations: { warmUp: 0s, measure: 1s, profile: 0s, settle: 10s }
          typing: { keysPerSecond: 10, sigilPeriod: 1s }
  - name: documents
    question: How fast is an edit applied?
    blocks: 2
    entries:
      - { name: replay, experiment: ci-replay, with: { engines: string, observe: edits, inTurns: false } }
`;
const MACHINE: SeenMachine = { speed: null, load: 0, busyPercent: 0, stealPercent: 0 };
const TIME_LIMIT_MS = 300_000;

const folder = folderOfAllTests();
let out: string;
beforeAll(async () => {
  out = folder.in('tiny');
  await folder.put('tiny.yaml', CAMPAIGN);
});
afterAll(async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
});

function run(flags: CampaignFlags, awaitQuiet = async () => MACHINE) {
  return runCampaignHere(folder.in('tiny.yaml'), { out, quiet: true, ...flags }, { awaitQuiet });
}

test('the plan tells what is left, and nothing runs; so it is where time or quiet is missing', async () => {
  const { text, left } = await run({ plan: true });
  expect(left).toBe(4);
  // By the seed crowds can be recorded before.
  expect(text).toMatch(/typing +0 of 2 +2 .* 624792847\n/);
  expect((await run({ for: 1 })).left).toBe(4);
  const busy = run({}, () => Promise.reject(new UserError('busy', { exitCode: 5 })));
  await expect(busy).rejects.toMatchObject({ exitCode: 5 });
  expect(existsSync(join(out, 'typing'))).toBe(false);
  await expect(run({ parts: 'typos' })).rejects.toThrow('there is no part "typos"; write some of: typing, documents');
});

test('a folder that another campaign writes into is not looked into', async () => {
  const taken = folder.in('taken');
  await using _other = await ownRunFolder(taken);
  await mkdir(join(taken, 'typing/block-1'), { recursive: true });
  // As it is while the other one writes.
  await writeFile(join(taken, 'typing/block-1/block.json'), '{');
  await expect(run({ out: taken, plan: true })).rejects.toThrow('block.json cannot be read');
  await expect(run({ out: taken })).rejects.toThrow('another run writes into');
});

test('blocks may begin after those that are kept from other machines', async () => {
  expect((await run({ plan: true })).left).toBe(4);
  expect((await run({ plan: true, from: 2 })).left).toBe(2);
  await expect(run({ plan: true, from: 3 })).rejects.toThrow(
    '--from 3: part typing has 2 blocks; write a number up to',
  );
  // Blocks that are kept here are compared all the same.
  const begun = folder.in('begun');
  await verdictRunner({}).runTrial(PLANNED, join(begun, 'typing/block-1/two', PLANNED.directory));
  const environment = JSON.stringify({ commit: 'abcdef0123', sources: 'other' });
  await writeFile(join(begun, 'typing/block-1/two/environment.json'), environment);
  await expect(run({ out: begun, from: 2 })).rejects.toThrow('block 1 of typing was measured by commit abcdef01');
});

test('blocks are interrupted, gone on with, reported and kept as replicates', { timeout: TIME_LIMIT_MS }, async () => {
  const interrupted = run({}).catch((error: Error) => error);
  const firstOf = (names: readonly string[]) =>
    names.find((name) => existsSync(join(out, `typing/block-1/two/trials/${name}-node-2-1/verdict.json`)));
  while (firstOf(['yjs', 'sharedb']) === undefined) await sleep(50);
  process.emit('SIGINT');
  expect(await interrupted).toMatchObject({ name: 'Interrupted' });
  expect((await run({ plan: true })).left).toBe(4);

  // A block is of one machine.
  const path = join(out, 'typing/block-1/two/environment.json');
  const environment = await readFile(path, 'utf8');
  await writeFile(path, JSON.stringify({ ...JSON.parse(environment), cores: 1000 }));
  await expect(run({})).rejects.toThrow('typing, block 1 of 2 was begun on another machine (cores: 1000, now ');
  await writeFile(path, JSON.stringify({ ...JSON.parse(environment), commit: 'abcdef0123', sources: 'other' }));
  await expect(run({})).rejects.toThrow(/block 1 of typing was measured by commit abcdef01( |,).*this is /);
  // The block itself is of one code, whatever is asked.
  await expect(run({ otherCode: true })).rejects.toThrow(/go on with the code of then, or remove .*block-1/);
  await writeFile(path, environment);

  const first = await run({ blocks: 1 });
  expect(first.left).toBe(0);
  expect(first.text).toContain('| two | yjs node 2 | throughput, % |');
  const block = JSON.parse(await readFile(join(out, 'typing/block-1/block.json'), 'utf8'));
  expect(block).toMatchObject({ campaign: 'tiny', part: 'typing', block: 1, sittings: [{}, { machine: MACHINE }] });
  // The file's second blocks are gaps, and a measured time tells how long they take.
  const half = await run({ report: true });
  expect(half.left).toBe(2);
  expect(half.text).toMatch(/Block 2: not measured yet/);
  expect(half.text).toMatch(/typing +1 of 2 +2 +about /);

  const { text, left } = await run({});
  expect(left).toBe(0);
  expect(text).toContain('2 of 2');
  const report = JSON.parse(await readFile(join(out, 'campaign.json'), 'utf8'));
  expect(report.parts[0].entries[0].cells[0].replicates.throughputPercent).toHaveLength(2);

  const folders = await runFoldersIn(out);
  expect(folders).toHaveLength(4);
  for (const each of folders) await keepRun(each, folder.path);
  const names = (await keptNames(folder.path)).filter((name) => name.endsWith('-tiny-typing-two'));
  expect(names).toHaveLength(2);
  const kept = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name, folder.path) })));
  const [pooled, ...others] = poolCampaigns(kept);
  expect(others).toEqual([]);
  expect(pooled!.kept.summary.cells).toMatchObject([{ trials: 2 }, { trials: 2 }]);
  const deposit = folder.in('results/measured/deposits', names[0]!);
  const sums = (await readFile(join(deposit, 'SHA256SUMS'), 'utf8')).trim().split('\n');
  expect(sums).toHaveLength(2);
  for (const line of sums) {
    const [sum, name] = line.split('  ') as [string, string];
    expect(sha256Of(await readFile(join(deposit, name)))).toBe(sum);
  }
});

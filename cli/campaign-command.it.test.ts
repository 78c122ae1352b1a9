import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { describeMachine } from '../harness/machine/environment.ts';
import type { awaitQuietMachine, SeenMachine } from '../harness/machine/quiet-machine.ts';
import { runExperiment } from '../harness/run/run.ts';
import { codeOf } from '../infra/code.ts';
import type { BlockRecord } from '../results/formats/run-directory.ts';
import type { Summary } from '../results/formats/summary.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { NOT_VALID, never, quietObserver, verdictRunner } from '../tests/runs.ts';
import { type CampaignFlags, runCampaignHere } from './campaign-command.ts';
import { runAndWatch } from './run-command.ts';

/** False: sources changed since the process began. */
let isFirst = true;
vi.mock(import('../infra/code.ts'), async (original) => {
  const code = await original();
  return { ...code, codeNow: async () => ({ ...(await code.codeOf()), isFirst }) };
});
vi.mock(import('./run-command.ts'), async (original) => ({
  ...(await original()),
  runAndWatch: vi.fn(async () => ({}) as Summary),
}));

const folder = folderOfEachTest();
afterAll(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
});

/** A campaign of two experiments at a server of somebody else. */
function run(users: number, flags: CampaignFlags = {}, experiment = 'attach') {
  return runParts([partOf('there', 'blocks: 1', { users, experiment })], flags);
}

function partOf(name: string, properties: string, { users = 2, experiment = 'smoke', more = '' } = {}): string {
  const entries = ['one', 'two'].map(
    (entry) => `{ name: ${entry}, experiment: ${experiment}, with: { modes: node, users: ${users}${more} } }`,
  );
  return `{ name: ${name}, question: How many?, ${properties}, entries: [${entries.join(', ')}] }`;
}

const QUIET: SeenMachine = { speed: null, load: 0, busyPercent: 0, stealPercent: 0 };

/** For each block that began, if the machine's load was told to be this command's. */
const ownLoads: boolean[] = [];

async function runParts(parts: readonly string[], flags: CampaignFlags = {}, machine = QUIET) {
  await folder.put('tiny.yaml', `name: tiny\nparts: [${parts.join(', ')}]\n`);
  const options = { out: folder.in('out'), quiet: true, ...flags };
  const awaitQuiet: typeof awaitQuietMachine = async ({ isOwnLoad }) => {
    ownLoads.push(isOwnLoad);
    return machine;
  };
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

/** Trials leave a verdict, and no summary. */
function leaveVerdicts(runner: Parameters<typeof verdictRunner>[0] = {}): void {
  vi.mocked(runAndWatch).mockImplementation(async (typed, directory, { resume = false }, turn) => {
    const options = { ...typed, ...turn, directory, resume, show: false, observer: quietObserver(), signal: never };
    const summarize = async () => ({}) as Summary;
    return runExperiment(options, { open: async () => verdictRunner(runner), summarize });
  });
}

test('the load before a command’s first block is not its own, though another block has still to wait', async () => {
  leaveVerdicts();
  const run = (blocks: number) =>
    runParts([partOf('later', `apart: 9h, blocks: ${blocks}`), partOf('soon', `blocks: ${blocks}`)], {
      otherCode: true,
    });
  ownLoads.length = 0;
  expect((await run(1)).left).toBe(0);
  expect((await run(2)).left).toBe(1);
  expect(ownLoads).toEqual([false, true, false]);
});

test('a sitting is as long as its turns, though the command is killed', async () => {
  const lastedMs: number[] = [];
  vi.mocked(runAndWatch).mockImplementation(async () => {
    const block = JSON.parse(await readFile(folder.in('out/there/block-1/block.json'), 'utf8')) as BlockRecord;
    lastedMs.push(...block.sittings.map(({ startedAt, endedAt }) => Date.parse(endedAt) - Date.parse(startedAt)));
    await setTimeout(20);
    return {} as Summary;
  });
  await run(2, {}, 'smoke');
  expect(lastedMs[1]).toBeGreaterThanOrEqual(19);
});

test('a block in which no trial ended is begun with other code and on another machine, and that sitting was none', async () => {
  const sittingsOf = async () => {
    const block = JSON.parse(await readFile(folder.in('out/there/block-1/block.json'), 'utf8')) as BlockRecord;
    return block.sittings;
  };
  const verdictOf = () => {
    throw new Error('the port is taken');
  };
  leaveVerdicts({ environment: { cores: 1000, sources: 'other' }, verdictOf });
  await expect(run(2, {}, 'smoke')).rejects.toThrow('the port is taken');
  expect(await sittingsOf()).toEqual([]);
  // As a command leaves it that is killed.
  const path = 'out/there/block-1/block.json';
  const killed = { startedAt: '2026-12-01T10:00:00.000Z', endedAt: '2026-12-01T10:00:00.000Z', machine: QUIET };
  await folder.put(
    path,
    JSON.stringify({ ...JSON.parse(await readFile(folder.in(path), 'utf8')), sittings: [killed] }),
  );

  const { sources } = await codeOf();
  leaveVerdicts({ environment: { sources } });
  expect((await run(2, {}, 'smoke')).left).toBe(0);
  expect(await sittingsOf()).toHaveLength(1);
  expect((await sittingsOf())[0]!.startedAt).not.toBe(killed.startedAt);
});

test('a trial whose command ended before its summary was written is in the next report', async () => {
  leaveVerdicts();
  await run(2, {}, 'smoke');
  const { text, left } = await run(2, { report: true }, 'smoke');
  expect(left).toBe(0);
  expect(text).toMatch(/\| one \| yjs node 2 \| invalid \|/);
  expect(text).toMatch(/\| two \| yjs node 2 \| invalid \|/);
});

test('a summary that is damaged is made again', async () => {
  leaveVerdicts();
  await run(2, {}, 'smoke');
  await run(2, { report: true }, 'smoke');
  await folder.put('out/there/block-1/one/summary.json', '{ "cells": [');
  const { text } = await run(2, { report: true }, 'smoke');
  expect(text).toMatch(/\| one \| yjs node 2 \| invalid \|/);
});

test('no turn of a block begins once sources changed', async () => {
  leaveVerdicts({
    verdictOf: () => {
      isFirst = false;
      return NOT_VALID;
    },
  });
  await expect(run(2, {}, 'smoke')).rejects.toThrow('sources of the project changed under this campaign');
  isFirst = true;
  const { left, text } = await run(2, { plan: true }, 'smoke');
  expect([left, text]).toEqual([1, expect.stringMatching(/there +0 of 1 +2 /)]);
});

test('a block goes on at the speed at which it began, but for what single readings are apart', async () => {
  const parts = [partOf('there', 'blocks: 1')];
  const at = (oneCore: number): SeenMachine => ({ ...QUIET, speed: { oneCore, allCores: 2 * oneCore } });
  const ended: string[] = [];
  leaveVerdicts({
    environment: { ...(await describeMachine()), ...(await codeOf()) },
    verdictOf: ({ directory }) => {
      if (ended.push(directory) === 2) throw new Error('a power cut');
      return NOT_VALID;
    },
  });
  await expect(runParts(parts, {}, at(490))).rejects.toThrow('a power cut');
  await expect(runParts(parts, {}, at(230))).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(
      /another speed \(490 turns\/µs on one core then, and 230 now\); go on when it is as fast/,
    ),
  });
  // Something else had a core for a moment.
  const brief: SeenMachine = { ...QUIET, speed: { oneCore: 415, allCores: 540 } };
  expect((await runParts(parts, {}, brief)).left).toBe(0);
});

test('the file is the whole campaign’s, and the terminal shows the parts that were asked for', async () => {
  leaveVerdicts();
  const parts = [partOf('first', 'blocks: 2, apart: 0h'), partOf('second', 'blocks: 1')];
  await runParts(parts, { blocks: 2, otherCode: true });
  const { text } = await runParts(parts, { report: true, parts: 'second', blocks: 1 });
  const written = await readFile(folder.in('out/campaign.md'), 'utf8');
  expect(text).not.toContain('## first');
  expect(text).toContain('## second');
  expect(written).toContain('- Block 2: ');
  expect(written).toContain('## second');
});

test('a block that does not fit into the time keeps no shorter one from its turn', async () => {
  leaveVerdicts();
  const parts = [partOf('long', 'blocks: 1', { more: ', durations: { measure: 30m }' }), partOf('short', 'blocks: 1')];
  const { left, text } = await runParts(parts, { for: 1_800_000 });
  expect(left).toBe(1);
  expect(text).toMatch(/long +0 of 1 /);
  expect(text).toMatch(/short +1 of 1 /);
});

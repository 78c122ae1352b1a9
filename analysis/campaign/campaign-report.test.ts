import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { writeCampaignReport } from './campaign-report.ts';

const folder = folderOfEachTest();

const CELL = {
  ...{ framework: 'yjs', tier: 'library', version: '1.2.3', mode: 'node', users: 2, trials: 1, validTrials: 0 },
  ...{ failedTrials: 0, verdict: 'invalid', messages: [], ci95: {}, converged: null },
};

/** A part with a block for each of these. */
async function reportOf(
  ...blocks: { sittings: number; cells: object[]; sources: string; cpu?: string }[]
): Promise<string> {
  for (const [index, { sittings, cells, sources, cpu = 'AMD EPYC' }] of blocks.entries()) {
    const sitting = { startedAt: '2026-12-01T10:00:00Z', endedAt: '2026-12-01T11:00:00Z', machine: MACHINE };
    const block = {
      ...{ schemaVersion: 1, campaign: 'mine', part: 'all', question: 'How?', block: index + 1, seed: 1 },
      ...{ deposit: false, sittings: Array(sittings).fill(sitting) },
    };
    await folder.put(`all/block-${index + 1}/block.json`, JSON.stringify(block));
    const environment = { cpu, cores: 2, sources };
    const summary = { schemaVersion: 1, experiment: 'mine-all-one', startedAt: '2026-12-01', environment, cells };
    await folder.put(`all/block-${index + 1}/one/summary.json`, JSON.stringify(summary));
  }
  const entries = [{ name: 'one', cells: [{ framework: 'yjs', mode: 'node', users: 2 }] }];
  const part = { name: 'all', question: 'How?', blocks: blocks.length, ladder: false, entries };
  const asked = new Set(['all']);
  return (await writeCampaignReport(folder.path, { name: 'mine', parts: [part], asked }, () => null as never)).markdown;
}
const MACHINE = { speed: null, load: 0, busyPercent: 0, stealPercent: 0 };

test('a block tells when it was measured, on which machine, and by which code; without a sitting all but the first', async () => {
  const report = await reportOf(
    { sittings: 1, cells: [CELL], sources: 'a1' },
    { sittings: 2, cells: [CELL], sources: 'a1' },
    { sittings: 0, cells: [CELL], sources: 'a1' },
  );
  expect(report).toContain('- Block 1: 2026-12-01 10:00 UTC, 2 cores of AMD EPYC, speed not measured, sources a1\n');
  expect(report).toContain('- Block 2: 2026-12-01 10:00 UTC, in 2 sittings, 2 cores');
  expect(report).toContain('- Block 3: begun at an unknown time, 2 cores');
});

test('a block in which no trial ended is not measured: its code is none that measured', async () => {
  const report = await reportOf(
    { sittings: 1, cells: [CELL], sources: 'a1' },
    { sittings: 1, cells: [], sources: 'b2' },
  );
  expect(report).toContain('- Block 2: not measured yet');
  expect(report).not.toContain('Beware: the code');
});

test('blocks of several machines in one folder are told', async () => {
  const block = { sittings: 1, cells: [CELL], sources: 'a1' };
  expect(await reportOf(block, { ...block, cpu: 'Intel Xeon' })).toContain(
    'Beware: blocks of several machines stand here as repeats of one: 2 cores of AMD EPYC; 2 cores of Intel Xeon.',
  );
  expect(await reportOf(block, block)).not.toContain('Beware: blocks of several');
});

/** Whole trials without a browser: real server, real worker processes, and no Chrome on the machine. */
import { access } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { recordName } from '../../../results/formats/records.ts';
import { folderOfEachTest } from '../../../tests/folders.ts';
import { recordLines, runFile } from '../../../tests/runs.ts';

const folder = folderOfEachTest();

function linesOf(trial: string, user: number) {
  return recordLines(folder.in('trials', trial), recordName({ role: 'user', user }));
}

const shortly = (measure: string, settle = '10s') => ({ warmUp: '0s', measure, profile: '0s', settle });

test('a trial is valid and has the figures of one in Chrome, but for those of a page', async () => {
  vi.stubEnv('SCRIPTORIUM_CHROME', '/there/is/none');
  try {
    const { cells } = await runFile(
      {
        frameworks: ['automerge-repo'],
        users: [3],
        // Code is compiled in the warm-up.
        durations: { warmUp: '2s', measure: '4s', profile: '1s', settle: '10s' },
        typing: { keysPerSecond: 10, sigilPeriod: '1s' },
      },
      folder.path,
    );
    expect(cells.map(({ framework }) => framework)).toEqual(['automerge-repo']);
    for (const cell of cells) {
      expect(cell).toMatchObject({ verdict: 'valid', converged: true, reasons: [] });
      expect(cell.throughputPercent).toBeGreaterThanOrEqual(98);
      expect(cell.localLatencyMs.samples).toBeGreaterThan(4);
      expect(cell.endToEndLatencyMs.samples).toBeGreaterThan(4);
      expect(cell).toMatchObject({ userHeapMiB: null, worstUserLongTaskPercent: null, driverCpuPercent: null });
      expect(cell.keyLatencyMs.samples).toBe(0);
      if (process.platform === 'linux') expect(cell.userCpuPercent).toBeGreaterThan(0);
      const trial = `${cell.framework}-node-3-1`;
      await access(folder.in('trials', trial, 'profiles/user-000.cpuprofile'));
      for (const user of [0, 1, 2]) {
        const traffic = (await linesOf(trial, user)).filter((line) => line.type === 'network').at(-1)!;
        expect(traffic.sentBytes).toBeGreaterThan(100);
        expect(traffic.receivedBytes).toBeGreaterThan(100);
        // Each user receives the messages of the two others.
        expect(traffic.receivedBytes / traffic.sentBytes).toBeLessThan(4);
      }
    }
  } finally {
    vi.unstubAllEnvs();
  }
});

test('in company, from a text on, the mode says so, every user sees all others, and every replica has the text before anyone types', async () => {
  const company = { presence: true, agents: ['stream'], readers: [5] };
  // Recordings of crowds begin so with other libraries (harness/crowd/recordings.it.test.ts).
  const [start, typing] = [{ characters: 30_000 }, { sigilPeriod: '2s' }];
  const file = { frameworks: ['sharedb'], users: [2], ...company, start, durations: shortly('2s', '20s'), typing };
  const { cells } = await runFile(file, folder.path);
  const mode = 'node+presence+stream+5-readers';
  expect(cells).toMatchObject([{ mode, verdict: 'valid', converged: true, reasons: [], readers: 5 }]);
  expect(cells[0]!.agentCharactersPerSecond).toBeGreaterThan(200);
  expect(cells[0]!.readerMessagesPerSecond).toBeGreaterThan(5);
  expect(cells[0]!.documentCharacters).toBeGreaterThan(29_900);
  expect(cells[0]!.notes.filter((note) => note.includes('cursor'))).toEqual([]);
  for (const user of [0, 1]) {
    const lines = await linesOf(`sharedb-${mode}-2-1`, user);
    expect(lines).toContainEqual(expect.objectContaining({ type: 'cursors-seen', others: 2 }));
  }
});

test('a framework whose page is another’s has no users in Node', async () => {
  await expect(runFile({ frameworks: ['gdocs'], users: [1] }, '/nowhere')).rejects.toThrow(
    '"gdocs" does not support "node"',
  );
});

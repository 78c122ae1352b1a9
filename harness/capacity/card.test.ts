import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCard } from './card.ts';
import { type CapacityCell, unitCosts } from './unit-costs.ts';

function cell(parameters: Record<string, unknown>, replicates: CapacityCell['replicates']) {
  return { summary: { version: '1.2.3', reasons: [] as string[], ...parameters }, replicates };
}

/** 20 µs of its own, 5 for each other; 1 % idle. At 6 keys a second. */
function typing(users: number) {
  const percent = 1 + (users * 6 * (20 + 5 * (users - 1))) / 10_000;
  return cell(
    { users },
    {
      serverCpuPercent: [percent, percent, percent],
      serverIdleCpuPercent: [1, 1, 1],
      throughputPercent: [100, 100, 100],
    },
  );
}

const CELLS = {
  typing: [2, 4, 8].map(typing),
  storm: [
    cell({ way: 'open', edits: 1000, users: 100 }, { serverCpuMs: [500, 1000, 500], allBackMs: [2000, 2000, 2000] }),
    cell({ way: 'drop', edits: 1000, users: 100 }, { serverCpuMs: [1, 1, 1], allBackMs: [3000, null, 3000] }),
  ],
  memory: [
    cell(
      { edits: 500, documents: 20 },
      {
        idleMiB: [50, 50, 50],
        documentMiB: [0.1, 0.1, 0.1],
        connectionMiB: [0.02, 0.02, 0.02],
        characters: [1000, 1000, 1000],
      },
    ),
    cell(
      { edits: 5000, documents: 20 },
      {
        idleMiB: [52, 52, 52],
        documentMiB: [0.3, 0.3, 0.3],
        connectionMiB: [0.02, 0.02, 0.02],
        characters: [11_000, 11_000, 11_000],
      },
    ),
  ],
};

function replicatesOf(label: string): (number | null)[] {
  return [...unitCosts(CELLS).costs.find((cost) => cost.label.startsWith(label))!.replicates];
}

test('unit costs come from differences: of users, of users at once, and of documents', () => {
  expect(replicatesOf('server CPU per update')[0]).toBeCloseTo(20);
  expect(replicatesOf('server CPU per update and reader')[0]).toBeCloseTo(5);
  // 6 w (20 + 5 (w - 1)) = 1e6 by hand: w is 181.08.
  expect(replicatesOf('writers on one document per core')).toEqual([181, 181, 181]);
  expect(replicatesOf('joins a second and core')).toEqual([200, 100, 200]);
  expect(replicatesOf('100 dropped users')).toEqual([3, null, 3]);
  expect(replicatesOf('an idle connection')[0]).toBeCloseTo(20.48);
  expect(replicatesOf('an open document for each MiB')[0]).toBeCloseTo((0.2 * 2 ** 20) / 10_000);
});

test('a cell that does not know what an idle server takes tells nothing of an update', () => {
  const untold = CELLS.typing.map(({ summary, replicates }) =>
    cell(summary, { ...replicates, serverIdleCpuPercent: [1, null, 1] }),
  );
  const { costs } = unitCosts({ ...CELLS, typing: untold });
  expect(costs[0]!.replicates).toEqual([expect.closeTo(20), null, expect.closeTo(20)]);
});

test('the machine is the cheapest that holds all in memory and is not too busy', () => {
  // 1,000 · (20 + 9 · 5) µs = 0.065 cores; 50 + 1,000 · 0.02 + 100 · 0.3 = 100 MiB: the smallest task there is.
  const { machine } = unitCosts(CELLS);
  expect(machine).toMatchObject({ tasks: 1, size: { cpuUnits: 256, memoryMiB: 512 } });
  expect(machine!.cpuShare).toBeCloseTo(0.26);
  expect(machine!.memoryShare).toBeCloseTo(100 / 512);
  // 730 hours of a quarter of a vCPU, half a GB and an address.
  expect(machine!.dollars).toBeCloseTo(730 * (0.25 * 0.04048 + 0.5 * 0.004445 + 0.005), 2);
});

/** The card of a campaign whose memory cells are these. */
async function cardOf(memory: CapacityCell[]) {
  const directory = await mkdtemp(join(tmpdir(), 'card-'));
  const environment = { cores: 2, cpu: 'a CPU', memoryMiB: 2048, os: 'Linux', node: 'v24' };
  const blocks = [{ startedAt: '2026-11-27T01:02:03Z', environment }];
  const entries = Object.entries({ ...CELLS, memory }).map(([name, cells]) => ({ name, blocks, cells }));
  await writeFile(join(directory, 'campaign.json'), JSON.stringify({ parts: [{ entries }] }));
  const card = await readCard(directory, { name: 'yjs', command: './scriptorium capacity yjs' });
  await rm(directory, { recursive: true });
  return card;
}

test('what is not known is none, and a card says so', async () => {
  const card = await cardOf([cell({ edits: 500, documents: 20, reasons: ['too slow'] }, {})]);
  expect(card.title).toBe('Capacity: yjs 1.2.3');
  expect(card.rows).toContainEqual(['server CPU per update', '20.0', '20.0 to 20.0', 'µs', '3']);
  expect(card.rows).toContainEqual(['server without documents', '–', '–', 'MiB', '0']);
  expect(card.notes).toContain('The machine for it is not known, since a cost is not.');
  expect(card.notes).toContain('Gave out: memory (500 edits, 20 documents): too slow');
  expect(card.notes.join('\n')).toMatch(
    /Measured on 2026-11-27; 2 cores of a CPU.*\nAgain: .\/scriptorium capacity yjs$/s,
  );
});

test('a cost below nothing is none: the server’s memory comes and goes by itself', async () => {
  const card = await cardOf([cell({ edits: 500, documents: 20 }, { idleMiB: [50, 50], documentMiB: [-0.2, 0.1] })]);
  const label = 'an open document of 500 edits, with one connection';
  expect(card.rows.find(([what]) => what === label)!.slice(0, 2)).toEqual([label, '–']);
  expect(card.notes[0]).toMatch(/^Too small to be told here: an open document of 500 edits, with one connection; /);
});

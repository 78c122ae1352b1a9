import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import { drawBlock, type ExperimentWork, foldersOf } from './blocks.ts';
import { type Campaign, loadCampaign } from './campaign.ts';

const folder = folderOfAllTests();

async function load(text: string, frameworks?: readonly string[]): Promise<Campaign> {
  const path = folder.in('mine.yaml');
  await writeFile(path, text);
  return loadCampaign(path, { isDry: true, frameworks });
}

const CAMPAIGN = `
name: mine
parts:
  - name: typing
    question: How soon?
    entries:
      - { name: many, experiment: compare, with: { frameworks: [yjs, sharedb, loro], users: 4, modes: node } }
      - { name: few, experiment: smoke, with: { frameworks: yjs, users: 2, modes: node, typing: { keysPerSecond: 5 } } }
`;

const blockOf = ({ parts: [part] }: Campaign, number: number) =>
  drawBlock(part!, number, ({ experiment }) => {
    return { plan: async () => makePlan(experiment as Experiment) } as unknown as ExperimentWork;
  });

test('an entry is its experiment with other properties, run once, by the name of its place', async () => {
  const { parts } = await load(CAMPAIGN);
  expect(parts[0]).toMatchObject({ blocks: 5, apartMs: 0, deposit: false });
  const [many, few] = parts[0]!.entries.map(({ loaded }) => loaded.experiment);
  expect(many).toMatchObject({ name: 'mine-typing-many', trials: 1, users: [4] });
  expect(few).toMatchObject({ typing: { rhythm: 'jittered', keysPerSecond: 5 } });
});

test('a block has every cell once, in an order and with a seed of its own that can be drawn again', async () => {
  const campaign = await load(CAMPAIGN);
  const orderOf = async (number: number) =>
    (await blockOf(campaign, number)).turns.flatMap(({ run, trials }) =>
      trials.map(({ cell }) => `${run.entry} ${cell}`),
    );
  const blocks = await Promise.all([1, 2, 3, 4, 5].map((number) => blockOf(campaign, number)));
  for (const { runs } of blocks) {
    expect(runs.flatMap(({ entry, plan }) => plan.map(({ cell }) => `${entry} ${cell}`)).sort()).toEqual(
      ['few yjs-node-2', 'many loro-node-4', 'many sharedb-node-4', 'many yjs-node-4'].sort(),
    );
    // All frameworks of a block are compared on the same typing.
    expect(new Set(runs.flatMap(({ plan }) => plan.map(({ seed }) => seed))).size).toBe(1);
  }
  expect(new Set(blocks.map(({ seed }) => seed)).size).toBe(5);
  const orders = blocks.map(({ runs }) => JSON.stringify(runs.map(({ plan }) => plan.map(({ cell }) => cell))));
  expect(new Set(orders).size).toBeGreaterThan(1);
  expect(await orderOf(3)).toEqual(await orderOf(3));
});

test('blocks beyond the file’s, which --blocks asked for once, are the part’s too', async () => {
  const { parts } = await load(CAMPAIGN);
  expect(foldersOf(parts[0]!, folder.path)).toHaveLength(5);
  await mkdir(folder.in('typing/block-7'), { recursive: true });
  expect(foldersOf(parts[0]!, folder.path)).toHaveLength(7);
});

test('an experiment with a base, whose trials a block would not find, is refused', async () => {
  const text = CAMPAIGN.replace('experiment: compare', 'experiment: against-itself').replace(
    /, with: .* yjs, s.*/,
    ' }',
  );
  await expect(load(text)).rejects.toThrow(/compares with base .*run it by itself/);
});

test('turns are of one run after another, and together each run’s plan', async () => {
  const campaign = await load(CAMPAIGN);
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const { turns, runs } = await blockOf(campaign, number);
    for (const [index, { run }] of turns.entries()) expect(run).not.toBe(turns[index - 1]?.run);
    for (const run of runs) {
      expect(turns.filter((turn) => turn.run === run).flatMap(({ trials }) => trials)).toEqual(run.plan);
    }
    expect(runs.map(({ plan }) => plan.length)).toEqual([3, 1]);
  }
});

test('subjects that share a process have one turn in each block', async () => {
  const { parts } = await load(`${CAMPAIGN}      - { name: shared, experiment: ci-replay }\n`);
  const work = { plan: async () => ['a', 'b', 'c', 'd'].map((cell) => ({ cell })) } as unknown as ExperimentWork;
  for (const number of [1, 2, 3, 4, 5]) {
    const { turns } = await drawBlock(parts[0]!, number, () => work);
    const own = turns.filter(({ run }) => run.entry === 'shared');
    expect(own.map(({ trials }) => trials.length)).toEqual([4]);
  }
});

test('an optional entry is left out if other frameworks cannot do it, but not if its file is wrong', async () => {
  const reading = 'frameworks: yjs, users: 2, modes: node, readers: 10';
  const text = `${CAMPAIGN}      - { name: read, experiment: smoke, optional: true, with: { ${reading} } }\n`;
  const entriesFor = async (framework: string) =>
    (await load(text, [framework])).parts[0]!.entries.map(({ name }) => name);
  expect(await entriesFor('sharedb')).toEqual(['many', 'few', 'read']);
  expect(await entriesFor('loro')).toEqual(['many', 'few']);
  await expect(load(text.replace('optional: true, ', ''), ['loro'])).rejects.toThrow('entry read: ');
  await expect(load(text.replace('readers: 10', 'readers: ten'), ['loro'])).rejects.toThrow('readers');
});

test.each([
  [CAMPAIGN.replace('question: How soon?', 'blocks: 0'), 'mine.yaml cannot run, 2 problems'],
  [
    CAMPAIGN.replace('question:', 'questoin:'),
    '5:5 parts[0].questoin: there is no such property; did you mean "question"?',
  ],
  [CAMPAIGN.replace('users: 2', 'trials: 2'), 'with.trials: a campaign settles it'],
  [CAMPAIGN.replace('name: few', 'name: many'), '"many" stands twice; write another name'],
  [CAMPAIGN.replace('users: 2', 'users: none'), 'mine.yaml:8:'],
  [
    CAMPAIGN.replace('question:', 'ladder: true\n    question:').replace('users: 4', 'users: [2, 4]'),
    'as one cell of each framework: one count of users, mode, store, ',
  ],
  [
    CAMPAIGN.replace('question:', 'ladder: true\n    question:').replace('users: 2', 'users: 2, readers: [0, 5]'),
    'as one cell of each framework',
  ],
  [
    CAMPAIGN.replace('question:', 'ladder: true\n    question:').replace('users: 2', 'users: 4'),
    'entry few: yjs with users: 4 is a rung already, of entry many; write another count',
  ],
  [CAMPAIGN.replace('experiment: smoke', 'experiment: smok'), 'there is no experiment "smok" (did you mean "smoke"?)'],
])('a mistake is told with its place and what is right (%#)', async (text, told) => {
  await expect(load(text)).rejects.toThrow(told);
});

test('a misspelt name says which entry it is of, or which campaigns there are', async () => {
  const misspelt = load(CAMPAIGN.replace('experiment: smoke', 'experiment: smok'));
  await expect(misspelt).rejects.toThrow(
    /mine\.yaml: part typing, entry few: there is no experiment "smok" \(did you mean "smoke"\?\)/,
  );
  await expect(loadCampaign('first-questio')).rejects.toThrow(
    'there is no campaign "first-questio" (did you mean "first-question"?); give a YAML file, or one of: capacity, first-question, keeping, people',
  );
});

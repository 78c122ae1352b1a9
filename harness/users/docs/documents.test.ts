import { describe, expect, test } from 'vitest';
import { openRecordWriter } from '../../../results/formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../../../results/formats/run-directory.ts';
import { folderOfEachTest } from '../../../tests/folders.ts';
import { freshDocument } from '../../attached/attach.ts';
import type { AttachedServer } from '../../experiment/servers.ts';
import { assignDocuments, type Question } from './documents.ts';

const hosted = {
  driver: 'none',
  linkForm: 'doc:<name>',
  isLink: (text: string) => text.startsWith('doc:'),
  joinPeriodMs: 1,
  readingLimitMs: 1,
  mostUsers: 9,
};
const frameworks = new Map([
  ['ours', { about: {} }],
  ['theirs', { about: { hosted } }],
]);
/** As a plan has them: each framework's first trial, then each one's second, and so on. */
const plan = [1, 2, 3].flatMap((trial) =>
  ['ours', 'theirs'].map(
    (framework): PlannedTrial => ({
      cell: framework,
      framework,
      mode: 'optquill',
      users: 2,
      trial,
      seed: trial,
      directory: '',
    }),
  ),
);
const [, first, , second, , third] = plan as [
  PlannedTrial,
  PlannedTrial,
  PlannedTrial,
  PlannedTrial,
  PlannedTrial,
  PlannedTrial,
];

interface Circumstances {
  trials?: PlannedTrial[];
  toRun?: PlannedTrial[];
  brokenOff?: PlannedTrial[];
  documents?: string[];
  ask?: (question: Question) => Promise<string>;
  reuse?: boolean;
  /** At a server that somebody else runs. */
  attached?: string[];
}

const folder = folderOfEachTest();

/** Leaves the record of a trial that took place in this document. */
async function leaveRecord(planned: PlannedTrial, document: string): Promise<void> {
  const { directory, cell, framework, mode, users, trial, seed } = planned;
  const record = openRecordWriter(recordPath(folder.in(directory), 'coordinator'));
  record.write({ type: 'trial', atMs: 1, cell, framework, mode, users, trial, seed, processes: [], document });
  await record.close();
}

function assign(circumstances: Circumstances = {}) {
  const {
    trials = plan,
    toRun = trials,
    brokenOff = [],
    documents = ['doc:1', 'doc:2', 'doc:3'],
    ask,
    reuse = false,
    attached = [],
  } = circumstances;
  const servers = { counts: [1], attached: attached.map((framework) => ({ framework })) as AttachedServer[] };
  return assignDocuments({
    experiment: { documents, servers, store: { url: null, reuse, writeDelayMs: [0] } },
    plan: trials,
    directory: folder.path,
    folder: { toRun, brokenOff },
    frameworks,
    ask: ask ?? null,
  });
}

describe('documents', () => {
  test('go to the trials of the hosted framework, in order, and to no other', async () => {
    const give = await assign();
    const given = await Promise.all(plan.map(give));
    expect(given.map(({ document }) => document)).toEqual([undefined, 'doc:1', undefined, 'doc:2', undefined, 'doc:3']);
  });

  test('in a database that is reused are fresh for each trial', async () => {
    const [ours] = plan;
    const give = await assign({ trials: [ours!], documents: [], reuse: true });
    const names = [await give(ours!), await give(ours!)].map(({ document }) => document);
    expect(names[0]).toMatch(/^scriptorium-/);
    expect(names[1]).not.toBe(names[0]);
  });

  test('fewer than trials are refused before anything starts, unless a person can be asked', async () => {
    await expect(assign({ documents: ['doc:1'] })).rejects.toThrow(
      '3 trials of theirs need a fresh document each, but "documents" lists 1: list a link for each trial',
    );
    const asked: Question[] = [];
    const give = await assign({
      documents: ['doc:1'],
      async ask(question) {
        asked.push(question);
        return 'doc:asked';
      },
    });
    expect((await give(first)).document).toBe('doc:1');
    expect((await give(second)).document).toBe('doc:asked');
    expect(asked.map(({ text }) => text)).toEqual([
      'theirs, trial 2, needs an empty document that anyone with the link may edit (doc:<name>).',
    ]);
    expect(['doc:7', '7'].map(asked[0]!.isAnswer)).toEqual([true, false]);
  });

  test('in a run that is resumed, each trial keeps its own, but one that was interrupted needs another', async () => {
    const toRun = [second, third];
    const resumed = await assign({ toRun });
    expect((await resumed(third)).document).toBe('doc:3');
    await expect(assign({ toRun, brokenOff: [second] })).rejects.toThrow(
      'and 1 of them served a trial that was interrupted',
    );
    const give = await assign({ toRun, brokenOff: [second], ask: async () => 'doc:asked' });
    expect((await give(second)).document).toBe('doc:asked');
    expect((await give(third)).document).toBe('doc:3');
  });

  test('named at a server of others are as many as its trials, unless none are', async () => {
    const trials = [1, 2, 3].map(
      (trial): PlannedTrial => ({ ...first, framework: 'ours', trial, directory: `trials/ours-${trial}` }),
    );
    const [one, two] = trials as [PlannedTrial, PlannedTrial];
    const at = { trials, attached: ['ours'] };
    await expect(assign({ ...at, documents: ['a'] })).rejects.toThrow(
      '"documents" (--document) names 1, but 3 trials at servers that run already need an empty document each: name 2 more',
    );
    const resumed = await assign({ ...at, toRun: [two], documents: ['a', 'b'] });
    expect((await resumed(two)).document).toBe('b');
    const fresh = await assign({ ...at, documents: [] });
    expect((await fresh(one)).document).toMatch(/^scriptorium-/);
  });

  test('of measured trials are named as before when a run is resumed, and none is forgotten', async () => {
    const trials = [1, 2, 3, 4].map(
      (trial): PlannedTrial => ({ ...first, framework: 'ours', trial, directory: `trials/ours-${trial}` }),
    );
    const [finished, recorded, spoilt, missing] = trials as [PlannedTrial, PlannedTrial, PlannedTrial, PlannedTrial];
    const at = { trials, attached: ['ours'], toRun: [recorded, spoilt, missing], brokenOff: [spoilt] };
    await leaveRecord(finished, 'a');
    await leaveRecord(recorded, 'b');
    await leaveRecord(spoilt, 'c');
    await expect(assign({ ...at, documents: [] })).rejects.toThrow(
      'names none for trials/ours-1, which was measured in a: name such trials’ documents as before, in their order',
    );
    await expect(assign({ ...at, documents: ['d', 'b', 'e', 'f'] })).rejects.toThrow('names d for trials/ours-1');
    await expect(assign({ ...at, documents: ['a'] })).rejects.toThrow('names none for trials/ours-2');
    await expect(assign({ ...at, documents: ['a', 'd', 'e', 'f'] })).rejects.toThrow('which was measured in b');
    const give = await assign({ ...at, documents: ['a', 'b', 'd', 'e'] });
    expect((await give(spoilt)).document).toBe('d');
  });

  test('that measured trials took by themselves leave no name for them', async () => {
    const [one, two] = [1, 2].map(
      (trial): PlannedTrial => ({ ...first, framework: 'ours', trial, directory: `trials/ours-${trial}` }),
    ) as [PlannedTrial, PlannedTrial];
    const at = { trials: [one, two], attached: ['ours'], toRun: [two] };
    await leaveRecord(one, freshDocument(one));
    await expect(assign({ ...at, documents: ['a', 'b'] })).rejects.toThrow(
      'names a for trials/ours-1, which was measured in scriptorium-',
    );
    const give = await assign({ ...at, documents: [] });
    expect((await give(two)).document).toMatch(/^scriptorium-/);
  });

  test('are nobody’s business where no framework is hosted', async () => {
    const ours = plan.filter(({ framework }) => framework === 'ours');
    const give = await assign({ trials: ours, documents: [] });
    expect(await give(ours[0]!)).toBe(ours[0]);
  });
});

import { describe, expect, test } from 'vitest';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { assignDocuments } from './documents.ts';
import type { KnownFramework } from './rules/rule.ts';

const hosted = {
  driver: 'none',
  linkForm: 'doc:<name>',
  isLink: () => true,
  joinPeriodMs: 1,
  readingLimitMs: 1,
  mostUsers: 9,
};
const frameworks: KnownFramework[] = [
  { name: 'ours', about: {} },
  { name: 'theirs', about: { hosted } },
];
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

function assign(changed: Partial<Parameters<typeof assignDocuments>[0]>) {
  return assignDocuments({
    plan,
    toRun: plan,
    begun: [],
    documents: ['doc:1', 'doc:2', 'doc:3'],
    frameworks,
    ask: null,
    ...changed,
  });
}

describe('documents', () => {
  test('go to the trials of the hosted framework, in order, and to no other', async () => {
    const given = await Promise.all(plan.map((planned) => assign({}).give(planned)));
    expect(given.map(({ document }) => document)).toEqual([undefined, 'doc:1', undefined, 'doc:2', undefined, 'doc:3']);
  });

  test('fewer than trials are refused before anything starts, unless a person can be asked', async () => {
    expect(() => assign({ documents: ['doc:1'] })).toThrow(
      '3 trials of theirs need a fresh document each, but "documents" lists 1: list a link for each trial',
    );
    const asked: PlannedTrial[] = [];
    const { give } = assign({
      documents: ['doc:1'],
      async ask(planned, hosting) {
        expect(hosting).toBe(hosted);
        asked.push(planned);
        return 'doc:asked';
      },
    });
    expect((await give(first)).document).toBe('doc:1');
    expect((await give(second)).document).toBe('doc:asked');
    expect(asked).toEqual([second]);
  });

  test('in a run that is resumed, each trial keeps its own, but one that was interrupted needs another', async () => {
    expect((await assign({ toRun: [second, third] }).give(third)).document).toBe('doc:3');
    const toRun = [second, third];
    expect(() => assign({ toRun, begun: [second] })).toThrow('and 1 of them served a trial that was interrupted');
    const { give } = assign({ toRun, begun: [second], ask: async () => 'doc:asked' });
    expect((await give(second)).document).toBe('doc:asked');
    expect((await give(third)).document).toBe('doc:3');
  });

  test('are nobody’s business where no framework is hosted', () => {
    const ours = plan.filter(({ framework }) => framework === 'ours');
    expect(() => assign({ plan: ours, toRun: ours, documents: [] })).not.toThrow();
  });
});

import { expect, test } from 'vitest';
import { aboutCell } from '../cell/messages.ts';
import type { ComparedCell } from './compared-run.ts';
import { quickestOf } from './quickest.ts';

/** @param medians of its trials, ms */
function cell(framework: string, medians: (number | null)[], tier = 'deployed', codes: string[] = []): ComparedCell {
  const known = medians.filter((each) => each !== null);
  const p50 = known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
  return {
    parameters: { framework, mode: 'optquill', users: 8 },
    ...{ tier, figures: { 'endToEndLatencyMs.p50': p50 } },
    messages: codes.map((code) => aboutCell(code, 'care', 'a note')),
    ran: medians.map((each, index) => ({ trial: index + 1, figures: { 'endToEndLatencyMs.p50': each } })),
  } as unknown as ComparedCell;
}

test.each<[string, ComparedCell[], (string | RegExp)[]]>([
  [
    'one round says who was quicker, and no more',
    [cell('loro', [57]), cell('yjs', [39])],
    ['yjs was quicker than loro: 39 against 57 ms, in 1 round. If that is chance, 3 rounds tell: add --careful.'],
  ],
  [
    'one round that hardly differs makes nobody quicker',
    [cell('yjs-hocuspocus', [41]), cell('yjs', [40])],
    ['yjs and yjs-hocuspocus are about equal: 40 and 41 ms, in 1 round.'],
  ],
  [
    'a difference that every round shows is more than chance',
    [cell('yjs', [39, 40, 41]), cell('loro', [79, 80, 82])],
    [/^yjs is quicker than loro: 40 against 80 ms; loro takes \d+ to \d+ % longer, more than chance explains\.$/],
  ],
  [
    'rounds that disagree show none',
    [cell('yjs', [39, 60, 41]), cell('loro', [50, 40, 61])],
    ['Between yjs and loro no difference is shown: 47 against 50 ms, which may be chance.'],
  ],
  [
    'without a common round nothing is said of rounds',
    [cell('loro', [null, 57]), cell('yjs', [39, null])],
    ['Between yjs and loro nothing is shown: 39 against 57 ms, in no common round.'],
  ],
  [
    'a round of one of both may turn the order, and proves nothing',
    [cell('yjs', [80, 81, 82, 1]), cell('loro', [70, 71, 72, null])],
    ['Between yjs and loro no difference is shown: 61 against 71 ms, but their common rounds say the opposite.'],
  ],
  [
    'the quickest is held against each other one, of those that were measured',
    [cell('c', [60]), cell('b', [50]), cell('none', [null]), cell('a', [40])],
    [/^a was quicker than b/, /^a was quicker than c/],
  ],
  [
    'unlike servers are told',
    [cell('yjs', [39]), cell('loro', [57], 'library')],
    [
      /^yjs was/,
      'Their servers do different work: yjs with its own server; loro over the same relay. Within one kind a comparison is fair.',
    ],
  ],
  [
    'who gathers otherwise than the others is told',
    [cell('yjs', [39]), cell('prompt', [13], 'deployed', ['received-at-once'])],
    [/^prompt was quicker/, /^Latencies of prompt lack the wait for batches/],
  ],
])('%s', (_, cells, sentences) => {
  const said = quickestOf({ cells }, 'add --careful');
  expect(said).toEqual(sentences.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))));
});

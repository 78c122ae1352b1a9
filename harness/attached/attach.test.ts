import { expect, test } from 'vitest';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { documentsFor, namedDocument } from './attach.ts';

test('a run of some of a plan’s trials gives each the document that was named for it', () => {
  const server = { framework: 'there', url: 'ws://example.org', headers: [], token: null, ca: null, write: false };
  const attached = [{ ...server, joinEveryMs: 0, pid: null, container: null, metrics: null, series: [] }];
  const experiment = { documents: ['a', 'b'], servers: { counts: [1], attached } };
  const plan = [1, 2, 3].flatMap((trial) =>
    ['here', 'there'].map((framework) => ({ framework, trial, directory: `${framework}-${trial}` }) as PlannedTrial),
  );
  const trials = plan.slice(2);
  const documents = documentsFor(experiment, { plan, trials });
  expect(documents).toEqual(['b']);
  const instrument = { ...experiment, servers: { counts: [1], attached: [] } };
  expect(documentsFor(instrument, { plan, trials })).toEqual(['a', 'b']);
  for (const planned of trials) {
    expect(namedDocument({ ...experiment, documents }, trials, planned)).toBe(namedDocument(experiment, plan, planned));
  }
});

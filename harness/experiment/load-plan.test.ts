import { describe, expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { loadPlan } from './experiment-file.ts';
import { makePlan } from './plan.ts';
import { resolve } from './test-data/resolving.ts';

const folder = folderOfEachTest();

describe('the plan of a run', () => {
  const planned = async (experiment: object, more: object = {}) => {
    const written = { schemaVersion: 1, startedAt: '2026-11-26T00:00:00.000Z', experiment, trials: [], ...more };
    await folder.put('run/plan.json', JSON.stringify(written));
    return loadPlan(folder.in('run'), { isDry: true });
  };

  test('of an earlier version: what it lacks is as it was then, also within properties', async () => {
    const now = resolve({ users: [2], network: { groups: [{ name: 'far', share: 1, oneWayDelay: '40ms' }] } });
    const { cursorMoves: _, ...typing } = now.typing;
    const groups = now.network.groups.map(({ cpuSlowdown: _, ...group }) => group);
    const { experiment } = await planned(
      { ...now, typing, network: { ...now.network, groups } },
      { trials: makePlan(now) },
    );
    expect(experiment).toEqual(now);
  });

  test('of single documents is refused as what it is', async () => {
    await expect(planned({ scenario: 'replay', name: 'replay' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/plan.json is of the scenario replay, .* give the experiment file instead$/),
    });
  });
});

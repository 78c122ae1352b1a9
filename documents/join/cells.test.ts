import { expect, test } from 'vitest';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { loadAnyExperiment } from '../../harness/experiment/experiment-file.ts';
import { requireJoinable } from '../scenario.ts';
import { combine } from './cells.ts';

const ABOUT = { tier: 'library' } as FrameworkAbout;
const FRAMEWORKS = { yjs: { ...ABOUT, tier: 'deployed' }, loro: ABOUT } satisfies Record<string, FrameworkAbout>;

function cells(
  given: Partial<Parameters<typeof combine>[0]>,
  frameworks: Readonly<Record<string, FrameworkAbout>> = FRAMEWORKS,
) {
  const said: string[] = [];
  const all = combine(
    { ways: ['deployed'], edits: [100], documents: [1], processes: [1], ...given },
    {
      frameworks: new Map(Object.entries(frameworks).map(([name, about]) => [name, { about }])),
      say: (text) => said.push(text),
    },
  );
  return { names: all.map((cell) => Object.values(cell).join(' ')), said };
}

test('each combination is a cell, in the order of the file', () => {
  expect(cells({ edits: [100, 200], documents: [4, 8], processes: [1, 2] }).names).toEqual([
    ...['yjs deployed 100 4 1', 'yjs deployed 100 4 2', 'yjs deployed 100 8 1', 'yjs deployed 100 8 2'],
    ...['yjs deployed 200 4 1', 'yjs deployed 200 4 2', 'yjs deployed 200 8 1', 'yjs deployed 200 8 2'],
    ...['loro deployed 100 4 1', 'loro deployed 100 4 2', 'loro deployed 100 8 1', 'loro deployed 100 8 2'],
    ...['loro deployed 200 4 1', 'loro deployed 200 4 2', 'loro deployed 200 8 1', 'loro deployed 200 8 2'],
  ]);
});

test('only what goes through the relay has other ways than it deploys, and those once', () => {
  const { names, said } = cells({ ways: ['deployed', 'backlog', 'snapshots', 'state'] });
  expect(names).toEqual([
    'yjs deployed 100 1 1',
    'loro backlog 100 1 1',
    'loro snapshots 100 1 1',
    'loro state 100 1 1',
  ]);
  expect(said).toEqual([
    'note: a library’s own server gives what it gives (yjs): no backlog, snapshots, state',
    'note: over the relay, what is deployed is "state" (loro): no deployed',
  ]);
});

test('one document cannot be spread over processes', () => {
  const { names, said } = cells({ documents: [1, 2], processes: [1, 2] }, { yjs: FRAMEWORKS.yjs });
  expect(names).toEqual(['yjs deployed 100 1 1', 'yjs deployed 100 2 1', 'yjs deployed 100 2 2']);
  expect(said).toEqual(['note: documents 1 cannot be spread over processes 2, so there is no such cell']);
});

test('where nothing is left, it says why', () => {
  expect(() => cells({ ways: ['backlog'] }, { yjs: FRAMEWORKS.yjs })).toThrow(/no cell.*\(yjs\).*ways is backlog/);
});

test('what users cannot join so is refused, with the reason', async () => {
  const require = (name: string, about: FrameworkAbout) => () => requireJoinable('join', name, about);
  expect(require('loopback', { ...ABOUT, oneWriter: true })).toThrow('does not merge');
  expect(require('calibration', { ...ABOUT, instrument: true })).toThrow('to calibrate the harness');
  const loaded = (framework: string) =>
    loadAnyExperiment({
      path: 'late-join',
      overrides: [{ flag: '--frameworks', path: ['frameworks'], value: [framework] }],
      isDry: true,
    });
  const { frameworks } = await loaded('gdocs');
  expect(require('gdocs', frameworks.get('gdocs')!.about)).toThrow('"gdocs" cannot be measured by the scenario join');
  await expect(loaded('no-such')).rejects.toThrow('there is no framework "no-such"');
});

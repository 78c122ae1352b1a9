import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import { defectsOf } from '../../editors/calibration/defects.ts';
import { discoverAll, discoverFrameworks } from '../../frameworks/discover.ts';
import { calibrationSchema } from '../../results/formats/calibration.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { assignmentOf } from '../trial/assignments.ts';
import { usersOf } from '../trial/trial-users.ts';
import { assignDocuments } from '../users/docs/documents.ts';
import { calibrate, experimentOf } from './calibrate.ts';
import { INJECTIONS, MODES } from './injections.ts';

test('every user of every trial is told what to do wrong, by the name of the document', async () => {
  const { experiment, frameworks } = await experimentOf('held', { modes: MODES, trials: 3 });
  const plan = makePlan(experiment);
  expect(plan).toHaveLength(2 * 3);
  const complete = await assignDocuments({
    experiment,
    frameworks,
    plan,
    directory: '',
    folder: { toRun: plan, brokenOff: [] },
    ask: null,
  });
  for (const trial of plan) {
    const context = { planned: await complete(trial), experiment, serverUrls: [''], pageUrl: '' };
    const [, user] = usersOf(experiment, context);
    expect(defectsOf(assignmentOf(user!, [], context).documentId)).toMatchObject(INJECTIONS.held.defects);
  }
});

test('nobody else meets the framework: no list has it, and no experiment of a person’s can name it', async () => {
  const frameworks = await discoverFrameworks();
  expect(frameworks.map(({ name }) => name)).not.toContain('calibration');
  expect((await discoverAll()).map(({ name }) => name)).toContain('calibration');
  expect(() => resolveExperiment({ frameworks: ['calibration'] }, { frameworks })).toThrow(
    'no framework "calibration"',
  );
});

const folder = folderOfEachTest();

test('runs each injection in both modes, once or three times, and leaves the table as JSON', async () => {
  for (const full of [false, true]) {
    const ran: Experiment[] = [];
    const { cells } = syntheticReport({
      frameworks: ['calibration'],
      modes: ['optquill', 'noquill'],
      userCounts: [2],
      trials: 1,
      seconds: 60,
    });
    const run = async ({ experiment }: { experiment: Experiment }) => {
      ran.push(experiment);
      const environment = { cpu: 'a processor', cores: 2, chrome: null };
      const summaries = cells.map(writtenOf);
      return { startedAt: '2026-11-21', environment, cells: summaries } as unknown as Summary;
    };
    const sigilShares = async () => [{ mode: 'noquill', sigilsArrivedPercent: 75, seenInTimePercent: 74 }];
    const calibration = await calibrate(run, { directory: folder.path, full, sigilShares });
    const { rows } = calibration;
    expect(ran.map(({ name }) => name)).toEqual(Object.keys(INJECTIONS).map((name) => `calibration-${name}`));
    expect(ran.every(({ trials }) => trials === (full ? 3 : 1))).toBe(true);
    const inOneMode = ran.flatMap(({ name, modes }) => (modes.length === 1 ? [name] : []));
    expect(inOneMode).toEqual(full ? [] : ['calibration-late', 'calibration-lost', 'calibration-changes']);
    expect(new Set(rows.map(({ mode }) => mode))).toEqual(new Set(['optquill', 'noquill']));
    const written = JSON.parse(await readFile(folder.in('calibration.json'), 'utf8'));
    expect(calibrationSchema.parse(written)).toEqual(calibration);
    expect(written).toMatchObject({ full, machine: { cpu: 'a processor', cores: 2 } });
  }
});

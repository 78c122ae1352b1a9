import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { scalingLaws } from '../cell/scaling.ts';
import type { AnalysedRun } from './analyse-run.ts';

export function summaryOf({ plan, environment, cells }: AnalysedRun): Summary {
  return {
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    experiment: plan.experiment.name,
    startedAt: plan.startedAt,
    environment,
    cells: cells.map(({ summary }) => summary),
    scaling: scalingLaws(cells),
  };
}

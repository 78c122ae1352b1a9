/** The checks of what happened around a trial, to its machine and its code; see checks.ts. */
import type { Json } from '@duckdb/node-api';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Reason } from '../../results/formats/verdict.ts';
import { SURROUNDINGS_LIMIT_MS } from '../figures/criterion.ts';
import { apart, type Check, list } from './check.ts';

export const SURROUNDINGS_CHECKS: readonly Check[] = [
  apart({
    // Other machines went on, and time-outs of libraries may count the time or not.
    view: 'slept_machines',
    makes: 'invalid',
    slowness: 'explains',
    code: 'machine-slept',
    say: ({ sleptMs }: { sleptMs: number }) =>
      `the machine: slept for ${(sleptMs / 1000).toFixed(0)} s of the trial → keep it awake, and run the trial again`,
  }),
  apart({
    // Latencies count from the start of their process; only a library may ask for the time of day.
    view: 'stepped_clocks',
    makes: 'note',
    code: 'clock-jumped',
    say: ({ steppedMs }: { steppedMs: number }) =>
      `the machine: its time of day was set ${steppedMs < 0 ? 'back' : 'forward'} by ${Math.abs(steppedMs / 1000).toFixed(0)} s during the trial, which latencies do not show, but time-outs of libraries may`,
  }),
  apart({
    view: 'shared_machines',
    makes: 'note',
    slowness: 'explains',
    code: 'machine-shared',
    say: ({ otherRuns }: { otherRuns: number[] }) =>
      `the machine: another run measured on it at the same time (process ${list(otherRuns.map(String))}), so figures show what that run left → run one at a time`,
  }),
  apart({
    view: 'changed_sources',
    makes: 'note',
    code: 'sources-changed',
    say: () =>
      'the code: the sources changed since the run began, so parts of this trial may be of other code → leave the checkout alone, and run the trial again',
  }),
];

/** The findings in a trial that has no views: that of documents, which may have been measured beside another, before its own lines. */
export function judgeSurroundings(
  lines: readonly RecordOf<'surroundings'>[],
): (Reason & Pick<Check, 'makes' | 'slowness'>)[] {
  const inOrder = lines.toSorted((a, b) => a.atMs - b.atMs);
  const [first, last] = [inOrder.at(0), inOrder.at(-1)];
  if (first === undefined || last === undefined) return [];
  const sleptMs = last.uptimeMs - last.atMs - (first.uptimeMs - first.atMs);
  const steppedMs = last.wallMs - last.uptimeMs - (first.wallMs - first.uptimeMs);
  const otherRuns = [...new Set(lines.flatMap((line) => line.otherRuns))].sort((a, b) => a - b);
  const found: Record<string, Json> = {
    ...(sleptMs > SURROUNDINGS_LIMIT_MS && { slept_machines: { sleptMs } }),
    ...(Math.abs(steppedMs) > SURROUNDINGS_LIMIT_MS && { stepped_clocks: { steppedMs } }),
    ...(otherRuns.length > 0 && { shared_machines: { otherRuns } }),
    ...(lines.some(({ isCodeOfRun }) => !isCodeOfRun) && { changed_sources: {} }),
  };
  return SURROUNDINGS_CHECKS.flatMap(({ view, makes, slowness, reasons }) =>
    found[view] === undefined
      ? []
      : reasons([found[view] as Record<string, Json>]).map((reason) => ({ ...reason, makes, slowness })),
  );
}

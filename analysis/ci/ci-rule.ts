/** The rule of `ci`: the figures that base and change are compared by, and the changes that count as a regression. */
import { compareFrameworks } from '../compare/compare.ts';
import type { ComparedRun, Comparison } from '../compare/compared-run.ts';
import { parseThreshold, type Threshold } from '../compare/threshold.ts';

/**
 * Figures that are compared. They are few: each more would make all others less certain. Of a saved state only times are, as
 * documents of two trials differ by what was typed at once.
 */
export const COMPARED: Readonly<Record<string, readonly string[]>> = {
  typing: [
    'throughputPercent',
    'localLatencyMs.p50',
    'endToEndLatencyMs.p50',
    'serverCpuPercent',
    'userCpuPercent',
    'userMemoryMiB',
  ],
  replay: ['applyMs', 'remoteEditsPerSecond', 'remoteBatchedEditsPerSecond', 'updatesKiB', 'savedKiB', 'loadWarmMs'],
  state: ['loadTextMs'],
};

/**
 * A replay repeats within some percent; of latencies and CPU, five short rounds tell no less. They are few, since each more
 * asks for more certainty of all: tools/docs/ci-power.ts says what they find.
 */
export const DEFAULT_THRESHOLDS = [
  'userCpuPercent > +20%',
  'endToEndLatencyMs.p50 > +30%',
  'applyMs > +10%',
  'remoteEditsPerSecond < -10%',
  'remoteBatchedEditsPerSecond < -10%',
  'loadTextMs > +20%',
];

/** @param of names of the two frameworks, as the runs have them */
export function compareForCi(runs: readonly ComparedRun[], of: { base: string; change: string }): Comparison {
  const isCompared = (figure: string, scenario: string) => COMPARED[scenario]?.includes(figure) ?? false;
  return compareFrameworks(runs, { base: of.base, new: of.change, isCompared });
}

/** The default thresholds on figures that were measured. */
export function defaultThresholds({ cells }: Comparison): Threshold[] {
  const figures = cells.flatMap((cell) => cell.figures.map(({ figure }) => figure));
  const isMeasured = (text: string) => figures.some(({ name }) => name === text.split(' ')[0]);
  return DEFAULT_THRESHOLDS.filter(isMeasured).map((text) => parseThreshold(text, figures));
}

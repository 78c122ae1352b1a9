/** The rule of `ci`: the figures that base and change are compared by, and the changes that count as a regression. */
import { compareFrameworks } from '../compare/compare.ts';
import type { ComparedRun, Comparison } from '../compare/compared-run.ts';
import { parseThreshold, type Threshold } from '../compare/threshold.ts';
import type { MeasuredFigure } from '../figures/figure.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';

/** Figures that are compared, by scenario. */
export const COMPARED: Readonly<Record<string, readonly MeasuredFigure[]>> = Object.fromEntries(
  Object.values(SCENARIOS).map(({ name, figures }) => [
    name,
    figures.filter(({ regressionPercent }) => regressionPercent !== undefined),
  ]),
);

/**
 * A replay repeats within some percent; of latencies and CPU, five short rounds tell no less. They are few, since each more
 * asks for more certainty of all: tools/docs/ci-power.test.ts says what they find. The strictest of a scenario comes first.
 */
export const DEFAULT_THRESHOLDS = Object.values(COMPARED).flatMap((figures) =>
  figures
    .filter(({ regressionPercent }) => regressionPercent !== null)
    .toSorted((a, b) => a.regressionPercent! - b.regressionPercent!)
    .map(({ name, better, regressionPercent }) => `${name} ${better === 'lower' ? '> +' : '< -'}${regressionPercent}%`),
);

/**
 * @param of.base  the framework's name, as the runs have it; `change` too
 * @param of.gated thresholds, the figures of which are compared beside those of the rule
 */
export function compareForCi(
  runs: readonly ComparedRun[],
  of: { base: string; change: string; gated?: readonly Threshold[] },
): Comparison {
  const gated = new Set(of.gated?.map(({ figure }) => figure));
  const isCompared = (figure: string, scenario: string) =>
    gated.has(figure) || (COMPARED[scenario]?.some(({ name }) => name === figure) ?? false);
  return compareFrameworks(runs, { base: of.base, new: of.change, isCompared });
}

/** The default thresholds on figures that were measured. */
export function defaultThresholds({ cells }: Comparison): Threshold[] {
  const figures = cells.flatMap((cell) => cell.figures.map(({ figure }) => figure));
  const isMeasured = (text: string) => figures.some(({ name }) => name === text.split(' ')[0]);
  return DEFAULT_THRESHOLDS.filter(isMeasured).map((text) => parseThreshold(text, figures));
}

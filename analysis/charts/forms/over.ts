/** Lines against a quantity: users, the parameters of documents, or the seconds of typing. */
import { BUCKET_S } from '../../figures/criterion.ts';
import { formatTick } from '../../figures/figure-text.ts';
import { left, right } from '../../tables/table.ts';
import { type Form, positionsOf, tableOverPositions, titledAxis } from './form.ts';
import { besideBound, joined } from './joined.ts';

/** With more positions the table has a row for each, and a column for each line; the axis chooses its own ticks. */
const MOST_COLUMNS = 12;

interface Quantity {
  /** `by number of users`. */
  against: string;
  /** Behind a number, such as `users`. */
  unit: string;
  /** Of the axis. */
  label: string;
  scale: 'linear' | 'log';
  /** The heading of the table's first column: what a line stands for. */
  lines: string;
  /** No button above the chart names the lines. */
  isAlone?: boolean;
}

export function over({ against, unit, label, scale, lines: corner, isAlone = false }: Quantity): Form {
  return {
    ...joined,
    against,
    across: { label, scale },
    needsLegend: (model) => isAlone || joined.needsLegend(model),
    nameOf: ({ x }) => `${x} ${unit}`,
    table: ({ lines }, textOf) =>
      positionsOf(lines).length > MOST_COLUMNS
        ? tableOverPositions(lines, unit, textOf)
        : {
            columns: [left(corner), ...positionsOf(lines).map((x) => right(`${x} ${unit}`))],
            rows: lines.map(({ name, points }) => [
              name,
              ...positionsOf(lines).map((place) => textOf(points.find(({ x }) => x === place))),
            ]),
          },
    baseAxis({ lines }, _shown, theme) {
      const positions = positionsOf(lines);
      return {
        type: scale === 'log' ? 'logarithmic' : 'linear',
        ...titledAxis(theme, label, false),
        ...(positions.length > MOST_COLUMNS
          ? {}
          : {
              afterBuildTicks(axis: { ticks: { value: number }[] }) {
                axis.ticks = positions.map((value) => ({ value }));
              },
            }),
        ticks: { color: theme.faint, maxRotation: 0, callback: (value: string | number) => formatTick(Number(value)) },
      };
    },
    drawGround() {},
    /** Figures grow with what is on the axis, so that there is room on the left. */
    drawBoundLabel({ ctx, chartArea: { left: edge, top } }, text, at) {
      ctx.textAlign = 'left';
      ctx.fillText(text, edge + 2, besideBound(at, top));
    },
  };
}

export const users: Form = over({
  ...{ against: 'by number of users', unit: 'users', label: 'users', scale: 'linear', lines: 'framework' },
});

/** The axis of a trial that has just begun. */
const MIN_TIME_S = 60;

export const time: Form = {
  ...joined,
  against: 'over time',
  across: { label: 'seconds of typing', scale: 'linear' },
  nameOf: ({ x }) => `${x} s`,
  /** Lines are columns here: positions are many. */
  table: ({ lines }, textOf) => tableOverPositions(lines, 'second', textOf),
  baseAxis: ({ lines }, _shown, theme) => ({
    type: 'linear',
    min: 0,
    max: Math.max(MIN_TIME_S, (positionsOf(lines).at(-1) ?? 0) + BUCKET_S / 2),
    ...titledAxis(theme, 'seconds of typing', false),
    ticks: { color: theme.faint, maxRotation: 0, callback: (value: string | number) => formatTick(Number(value)) },
  }),
  drawGround({ ctx, chartArea, scales }, { spans }, theme) {
    const within = (second: number) =>
      Math.min(Math.max(scales.x!.getPixelForValue(second), chartArea.left), chartArea.right);
    ctx.save();
    ctx.font = '11px system-ui, sans-serif';
    ctx.textAlign = 'left';
    for (const { of, name, fromS, toS } of spans) {
      const left = within(fromS);
      ctx.fillStyle = of === 'fault' ? theme.fault : theme.shade;
      ctx.fillRect(left, chartArea.top, within(toS) - left, chartArea.height);
      // A fault may be too short for its name, which stands in the legend.
      if (of === 'fault') continue;
      ctx.fillStyle = theme.faint;
      ctx.fillText(name, left + 6, chartArea.top + 13);
    }
    ctx.restore();
  },
  /** The warm-up is named on the left. */
  drawBoundLabel({ ctx, chartArea: { right, top } }, label, at) {
    ctx.textAlign = 'right';
    ctx.fillText(label, right - 2, besideBound(at, top));
  },
};

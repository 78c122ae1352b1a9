/** Lines against what grows from point to point: users, or what cells of documents differ in. */
import { left, right } from '../../tables/table.ts';
import { formatTick } from '../numbers.ts';
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

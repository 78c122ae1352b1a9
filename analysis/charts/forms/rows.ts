/** A row for each framework, with a point in it for each user count. */
import { countOf } from '../../figures/figure-text.ts';
import { atLeastScale, type ChartLine, type Form, type PlotChart, type PlotPoint, positionsOf } from './form.ts';
import { users } from './over.ts';

/** How far apart the user counts of one row lie; rows are 1 apart. */
const ROW_SPREAD = 0.3;
/** A row must hold a name and two points; the rest is the axis. */
const ROW_HEIGHT_PX = 30;
const ROWS_BASE_PX = 64;

export const rows: Form = {
  against: 'by number of users',
  across: users.across,
  valueAxis: 'x',
  isJoined: false,
  interaction: { mode: 'nearest', intersect: false },
  needsLegend: () => true,
  namesAbsent: true,
  heightPx: (lines) => ROWS_BASE_PX + ROW_HEIGHT_PX * lines.length,
  nameOf: ({ x }) => `${x} users`,
  table: (model, textOf) => users.table(model, textOf),
  legend: (_model, lines) => countsLegend(lines),
  baseAxis: (_model, lines, theme) => ({
    type: 'linear',
    reverse: true,
    min: -0.6,
    max: lines.length - 0.4,
    grid: { display: false },
    border: { display: false },
    afterBuildTicks(scale: { ticks: { value: number }[] }) {
      scale.ticks = lines.map((_, row) => ({ value: row }));
    },
    ticks: {
      color: theme.ink,
      autoSkip: false,
      callback: (value: string | number) => lines[Number(value)]?.name ?? '',
    },
  }),
  place({ x }, value, line, row) {
    const counts = countsIn(line);
    return { x: value, y: row + ROW_SPREAD * (counts.indexOf(x) - (counts.length - 1) / 2) };
  },
  /** The larger user count is filled. */
  fill(line, colour, surface) {
    const most = Math.max(...countsIn(line));
    return line.points.map(({ x }) => (x === most ? colour : surface));
  },
  drawGround() {},
  drawBoundLabel({ ctx, chartArea: { left, right, top } }, label, at) {
    const isRight = at > (left + right) / 2;
    ctx.textAlign = isRight ? 'right' : 'left';
    ctx.fillText(label, at + (isRight ? -4 : 4), top + 10);
  },
  drawIntervals({ ctx, data, scales }, dataset) {
    const { data: points, borderColor } = data.datasets[dataset]!;
    ctx.save();
    ctx.strokeStyle = borderColor as string;
    ctx.lineWidth = 3;
    ctx.lineCap = 'round';
    ctx.globalAlpha = 0.35;
    for (const { y, point } of points) {
      if (point.interval === null) continue;
      const at = scales.y!.getPixelForValue(y);
      ctx.beginPath();
      ctx.moveTo(scales.x!.getPixelForValue(atLeastScale(point.interval.low, scales.x!.min)), at);
      ctx.lineTo(scales.x!.getPixelForValue(point.interval.high), at);
      ctx.stroke();
    }
    ctx.restore();
  },
  drawInstead(chart, dataset, { y, point }, theme) {
    const { ctx, chartArea, scales, data } = chart;
    const isLeft = isRightTaken(chart, data.datasets[dataset]!.data);
    ctx.textAlign = isLeft ? 'left' : 'right';
    ctx.textBaseline = 'middle';
    const at = isLeft ? chartArea.left + 6 : chartArea.right - 6;
    const text = `✕ ${point.x > 0 ? `${countOf(point.x, 'user')}: ` : ''}${point.instead}`;
    const { width } = ctx.measureText(text);
    ctx.fillStyle = theme.surface;
    ctx.fillRect(isLeft ? at : at - width, scales.y!.getPixelForValue(y) - 7, width, 14);
    ctx.fillStyle = theme.bound;
    ctx.fillText(text, at, scales.y!.getPixelForValue(y));
  },
};

function countsIn({ points }: ChartLine): number[] {
  return [...new Set(points.map(({ x }) => x))];
}

/** Which point is which user count, where two share a row. */
function countsLegend(lines: readonly ChartLine[]): string {
  const counts = positionsOf(lines);
  const signs = counts.length === 1 ? ['●'] : ['○', '●'];
  return counts.map((count, index) => `<span>${signs[index]} ${countOf(count, 'user')}</span>`).join('');
}

/** True if a figure of the row lies in the right half, so that words have to stand on the left. */
function isRightTaken({ chartArea, scales }: PlotChart, points: readonly PlotPoint[]): boolean {
  return points.some(({ x }) => scales.x!.getPixelForValue(x) > (chartArea.left + chartArea.right) / 2);
}

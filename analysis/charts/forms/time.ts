/** Lines against the seconds of typing. */
import { BUCKET_S } from '../../figures/criterion.ts';
import { formatTick } from '../numbers.ts';
import { type Form, positionsOf, tableOverPositions, titledAxis } from './form.ts';
import { besideBound, joined } from './joined.ts';

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

/** Lines against the number of users. */
import { formatTick } from '../numbers.ts';
import { type Form, positionsOf, tableOverUsers, titledAxis } from './form.ts';
import { besideBound, joined } from './joined.ts';

export const users: Form = {
  ...joined,
  against: 'by number of users',
  nameOf: ({ x }) => `${x} users`,
  table: tableOverUsers,
  baseAxis({ lines }, _shown, theme) {
    const counts = positionsOf(lines);
    return {
      type: 'linear',
      ...titledAxis(theme, 'users', false),
      afterBuildTicks(scale: { ticks: { value: number }[] }) {
        scale.ticks = counts.map((value) => ({ value }));
      },
      ticks: { color: theme.faint, maxRotation: 0, callback: (value: string | number) => formatTick(Number(value)) },
    };
  },
  drawGround() {},
  /** Figures grow with the users, so that there is room on the left. */
  drawBoundLabel({ ctx, chartArea: { left, top } }, label, at) {
    ctx.textAlign = 'left';
    ctx.fillText(label, left + 2, besideBound(at, top));
  },
};

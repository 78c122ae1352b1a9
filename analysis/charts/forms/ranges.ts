/** A row for each line, with a bar from the median to the 95th percentile: the shortest bar nearest the axis is the best. */
import type { Form } from './form.ts';
import { rows } from './rows.ts';

const BAR_PX = 9;

export const ranges: Form = {
  ...rows,
  against: 'from the median to the 95th percentile',
  legend: () => '<span>● median, bar to the 95th percentile</span>',
  drawIntervals({ ctx, data, scales }, dataset) {
    const { data: points, borderColor } = data.datasets[dataset]!;
    ctx.save();
    ctx.strokeStyle = borderColor as string;
    ctx.lineWidth = BAR_PX;
    ctx.globalAlpha = 0.4;
    for (const { x, y, point } of points) {
      if (point.interval === null) continue;
      ctx.beginPath();
      ctx.moveTo(scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(y));
      ctx.lineTo(scales.x!.getPixelForValue(point.interval.high), scales.y!.getPixelForValue(y));
      ctx.stroke();
    }
    ctx.restore();
  },
};

/** The table behind a chart: the same figures, for reading, copying and screen readers. */

import { formatWithInterval } from '../../figure-text.ts';
import type { ChartModel, ChartPoint } from '../chart-model.ts';
import { element } from './element.ts';

/** Lines are columns and positions rows over time; else lines are rows, which are few. */
export function chartTable(model: ChartModel): HTMLTableElement {
  const { title, unit, of, form, lines } = model;
  const positions = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const names = lines.map(({ name }) => name);
  const at = (line: number, x: number) => textOf(lines[line]!.points.find((point) => point.x === x));
  const [corner, columns, rows] =
    form === 'time'
      ? ['second', names, positions.map((x) => [String(x), ...names.map((_, line) => at(line, x))])]
      : [
          'framework',
          positions.map((x) => `${x} users`),
          names.map((name, line) => [name, ...positions.map((x) => at(line, x))]),
        ];
  return element('table', {}, [
    element('caption', {}, [`${title}, ${unit}, ${of}`]),
    element('thead', {}, [
      element(
        'tr',
        {},
        [corner, ...columns].map((text) => element('th', { scope: 'col' }, [text])),
      ),
    ]),
    element(
      'tbody',
      {},
      rows.map(([head, ...cells]) =>
        element('tr', {}, [
          element('th', { scope: 'row' }, [head!]),
          ...cells.map((text) => element('td', {}, [text])),
        ]),
      ),
    ),
  ]);
}

function textOf(point: ChartPoint | undefined): string {
  if (point === undefined) return '';
  const { value, interval, instead } = point;
  if (instead !== null) return instead;
  return formatWithInterval(value, interval);
}

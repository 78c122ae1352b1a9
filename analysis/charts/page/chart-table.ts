/** The table behind a chart: the same figures, for reading, copying and screen readers. */

import { formatWithInterval } from '../../figures/figure-text.ts';
import type { ChartModel, ChartPoint } from '../forms/form.ts';
import { element } from './element.ts';

export function chartTable(model: ChartModel): HTMLTableElement {
  const { title, unit, of, form } = model;
  const { corner, columns, rows } = form.table(model, textOf);
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

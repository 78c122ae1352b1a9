import { expect, test } from 'vitest';
import { type ChartModel, type Form, PLAIN } from '../forms/form.ts';
import { users } from '../forms/over.ts';
import { rows } from '../forms/rows.ts';
import { assignStyles } from '../palette.ts';
import { plotOf } from '../plot.ts';
import { pointsNear } from './hover.ts';

const styles = assignStyles(['yjs', 'loro']);
const line = (name: string, values: readonly (number | null)[]) => ({
  name,
  style: styles.get(name)!,
  points: values.map((value, index) => ({ x: 10 * (index + 1), value, interval: null, instead: null })),
});
const MODEL = { ...PLAIN, id: 'cpu', title: 'CPU', unit: '%', hint: '', of: '', format: String };
/** With an axis of 1,000 px. */
const near = (form: Form, lines: ChartModel['lines'], [x, y]: readonly [number, number]) => {
  const picture = form.layOut({ ...MODEL, form, lines }, false);
  const plot = plotOf(picture, { right: 1064, top: 0, paint: ({ light }) => light });
  return pointsNear({ picture, plot }, [x, y]).map(({ line: { name }, point: { point } }) => [name, point.x]);
};

test('of joined lines, all that have a figure at the nearest place across', () => {
  const lines = [line('yjs', [1, 2, 3]), line('loro', [1, null, 30])];
  expect(near(users, lines, [110, 0])).toEqual([
    ['yjs', 10],
    ['loro', 10],
  ]);
  expect(near(users, lines, [600, 0])).toEqual([['yjs', 20]]);
  expect(near(users, [line('yjs', [null])], [600, 0])).toEqual([]);
});

test('of rows, the one nearest point', () => {
  const lines = [line('yjs', [10]), line('loro', [10])];
  expect(near(rows, lines, [1000, 5])).toEqual([['yjs', 10]]);
  expect(near(rows, lines, [1000, 60])).toEqual([['loro', 10]]);
});

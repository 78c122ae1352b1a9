/** A row for each line of the chart, figures from left to right. */
import { countOf } from '../../figures/figure-text.ts';
import { BOUND, INK } from '../palette.ts';
import { type ChartLine, type Form, type Mark, type Picture, type PictureLine, positionsOf } from './form.ts';
import { axisOf, boundMarks, figureScale, type Scale } from './scale.ts';

/** A row must hold a name and two points. */
const ROW_PX = 30;
/** Of rows, above the first and below the last. */
const MARGIN = 0.1;
/** How far apart the user counts of one row lie, in rows. */
const SPREAD = 0.3;
/** Of a name beside its row. */
const MOST_CHARACTERS = 44;

interface RowForm {
  against: string;
  legend: (lines: readonly ChartLine[]) => Picture['legend'];
  /** True: points of smaller user counts are hollow, as the legend says. */
  tellsCounts?: boolean;
  /** Below the points of a line. */
  marks: (line: PictureLine, across: Scale) => Mark[];
}

function rowForm({ against, legend, tellsCounts = false, marks }: RowForm): Form {
  return {
    against,
    unit: 'users',
    line: 'framework',
    layOut(model, isLog): Picture {
      const across = figureScale(model, isLog);
      const height = 1 / (model.lines.length + 2 * MARGIN);
      const middleOf = (row: number) => 1 - (row + 0.5 + MARGIN) * height;
      const filledFrom = tellsCounts ? Math.max(...positionsOf(model.lines)) : 0;
      const lines = model.lines.map((line, row) => placed(line, { across, middle: middleOf(row), height, filledFrom }));
      const isRight = model.bound !== null && across.at(model.bound.value) > 0.5;
      const named = legend(model.lines);
      return {
        across: axisOf(across, model.unit),
        up: {
          title: '',
          ticks: lines.map(({ name }, row) => ({ at: middleOf(row), text: shortened(name) })),
          isOfNames: true,
        },
        heightPx: ROW_PX / height,
        lines,
        isJoined: false,
        below: [
          ...boundMarks(model, across, { isAcross: true, isRight }),
          ...lines.flatMap((line) => marks(line, across)),
        ],
        above: lines.flatMap((line) => words(line, across)),
        legend: named,
        needsLegend: named.length > 0,
        absent: [],
      };
    },
  };
}

/** Names may have more characters than a chart has room for: their beginnings and ends tell them apart. */
function shortened(name: string): string {
  return name.length <= MOST_CHARACTERS ? name : `${name.slice(0, MOST_CHARACTERS - 19)}…${name.slice(-18)}`;
}

function placed(
  { name, style, points }: ChartLine,
  { across, middle, height, filledFrom }: { across: Scale; middle: number; height: number; filledFrom: number },
): PictureLine {
  const counts = [...new Set(points.map(({ x }) => x))];
  return {
    name,
    style,
    isMarked: true,
    points: points.map((point) => ({
      x: point.value === null ? Number.NaN : across.at(point.value),
      y: middle - SPREAD * height * (counts.indexOf(point.x) - (counts.length - 1) / 2),
      isFilled: point.x >= filledFrom,
      point,
    })),
  };
}

/** Instead of a figure, in the half of the row that has none; beside the figure that has words, too; or at the end of its interval. */
function words({ points }: PictureLine, across: Scale): Mark[] {
  const isLeft = points.some(({ x }) => x > 0.5);
  return points.flatMap(({ x: place, y, point: { x, value, interval, instead, label } }): Mark[] => {
    const end = across.at(interval?.high ?? value ?? 0);
    if (label !== undefined) {
      return [{ colour: INK, words: label, at: [end, y], shiftPx: [6, 4], align: 'left' }];
    }
    if (instead === null) return [];
    const text = `✕ ${x > 0 ? `${countOf(x, 'user')}: ` : ''}${instead}`;
    if (place > 0.5) {
      const begin = across.at(interval?.low ?? value!) || 0;
      return [{ colour: BOUND, words: text, at: [begin, y], shiftPx: [-9, 4], align: 'right' }];
    }
    if (!Number.isNaN(place)) return [{ colour: BOUND, words: text, at: [end, y], shiftPx: [9, 4], align: 'left' }];
    if (isLeft) return [{ colour: BOUND, words: text, at: [0, y], shiftPx: [6, 4], align: 'left' }];
    return [{ colour: BOUND, words: text, at: [1, y], shiftPx: [-6, 4], align: 'right' }];
  });
}

function intervals(look: { widthPx: number; opacity: number }): RowForm['marks'] {
  return ({ style, points }, across) =>
    points.flatMap(({ y, point: { interval } }) =>
      interval === null
        ? []
        : {
            ...look,
            colour: style,
            from: [across.at(interval.low) || 0, y],
            to: [across.at(interval.high), y],
            dash: interval.isOpen ? [3, 3] : [],
          },
    );
}

/** A point in its row for each user count, and the interval around it. */
const dots = { against: 'by number of users', marks: intervals({ widthPx: 3, opacity: 0.35 }) };

/** A row for each framework. */
export const rows: Form = rowForm({ ...dots, legend: countsLegend, tellsCounts: true });

/** The same for lines whose names tell the user counts. */
export const namedRows: Form = rowForm({ ...dots, legend: () => [] });

/** A bar from the median to the 95th percentile: the shortest one nearest the axis is the best. */
export const ranges: Form = rowForm({
  against: 'from the median to the 95th percentile',
  legend: () => [{ words: '● median, bar to the 95th percentile' }],
  marks: intervals({ widthPx: 9, opacity: 0.4 }),
});

/** Bars from 0 to the figure; a thin one goes on to the end of the interval, dashed if that end is not known. */
const barForm = rowForm({
  against: 'by framework',
  legend: () => [],
  marks: (line, across) => [
    ...line.points.map(({ y, point }) => {
      const end = across.at(point.value ?? 0);
      return { colour: line.style, from: [0, y], to: [end, y], widthPx: ROW_PX / 2 } as const;
    }),
    ...intervals({ widthPx: 3, opacity: 0.5 })(line, across),
  ],
});

export const bars: Form = {
  ...barForm,
  layOut: (model, isLog) => ({ ...barForm.layOut(model, isLog), lines: [] }),
};

/** Which point is which user count, where two share a row. */
function countsLegend(lines: readonly ChartLine[]): Picture['legend'] {
  const counts = positionsOf(lines);
  const signs = counts.length === 1 ? ['●'] : ['○', '●'];
  return counts.map((count, index) => ({ words: `${signs[index] ?? ''} ${countOf(count, 'user')}` }));
}

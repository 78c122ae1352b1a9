/** Lines from left to right over a quantity: users, the parameters of documents, or the seconds of typing. */
import { BUCKET_S } from '../../figures/criterion.ts';
import { formatTick } from '../../figures/figure-text.ts';
import { FAINT, SHADES } from '../palette.ts';
import {
  type ChartLine,
  type ChartSpan,
  type Form,
  type Mark,
  MOST_COLUMNS,
  type Picture,
  type PictureLine,
  type Place,
  positionsOf,
} from './form.ts';
import { axisOf, boundMarks, figureScale, linearScale, logScale, type Scale } from './scale.ts';

const HEIGHT_PX = 230;
const MOST_MARKED_POINTS = 20;
/** Crosses at one place stand above one another. */
const CROSS_PX = 11;
const MOST_CROSSES = 8;
/** Room for points at the ends of the axis across: they would cover labels of the other. */
const INSET = 0.03;
/** Words at a point farther right stand on its left. */
const LABEL_LEFT_FROM = 0.8;
/** The axis of a trial that has just begun. */
const LEAST_TIME_S = 60;

interface Quantity extends Omit<Form, 'layOut'> {
  /** Of the axis. */
  label: string;
  scale: 'linear' | 'log' | 'time';
  /** Labels on the axis; absent: the positions themselves, or round ones if these are many. */
  labels?: readonly number[];
}

export function over({ label, scale, labels: chosen, ...form }: Quantity): Form {
  return {
    ...form,
    layOut(model, isLog): Picture {
      const { lines, beside = lines, spans, absent, needsLegend = false } = model;
      const across = scaleOver(positionsOf(beside), { kind: scale, chosen });
      const up = figureScale(model, isLog);
      const drawn = lines.map((line) => placed(line, across, up));
      const faults = faultsIn(spans).map((span) => ({ words: spanText(span), sign: SHADES.fault }));
      // The warm-up is named on the left; elsewhere there is room, since figures grow with what is on the axis.
      const bound = boundMarks(model, up, { isAcross: false, isRight: spans.length > 0 });
      return {
        across: axisOf(across, label),
        up: axisOf(up, model.unit),
        heightPx: HEIGHT_PX,
        lines: drawn,
        isJoined: true,
        below: [
          ...spans.flatMap((span) => shade(span, across)),
          ...bound,
          ...drawn.flatMap((line) => intervals(line, up)),
        ],
        above: drawn.flatMap((line, row) => [...crosses(line, row), ...labels(line)]),
        legend: [...lines.map(({ name, style }) => ({ words: name, sign: style })), ...faults],
        needsLegend: needsLegend || faults.length > 0,
        absent,
      };
    },
  };
}

export const users: Form = over({
  against: 'by number of users',
  unit: 'users',
  line: 'framework',
  label: 'users',
  scale: 'linear',
});

export const time: Form = over({
  against: 'over time',
  unit: 's',
  line: 'framework',
  label: 'seconds of typing',
  scale: 'time',
});

/** Few positions are labels themselves, unless others are chosen. */
function scaleOver(
  positions: readonly number[],
  { kind, chosen }: { kind: Quantity['scale']; chosen: Quantity['labels'] },
): Scale {
  const [least = 0, greatest = 1] = [positions[0], positions.at(-1)];
  if (kind === 'time') return linearScale(0, Math.max(LEAST_TIME_S, greatest + BUCKET_S / 2), 'exact');
  const positive = positions.filter((x) => x > 0);
  const scale = kind === 'log' && positive.length > 0 ? logScale(positive) : linearScale(least, greatest);
  const ofPositions = positions.length > MOST_COLUMNS ? scale.ticks : scale.isLog ? positive : positions;
  const ticks = chosen?.filter((tick) => tick >= scale.least && tick <= scale.greatest) ?? ofPositions;
  return { ...scale, ticks, at: (x) => INSET + (1 - 2 * INSET) * scale.at(x) };
}

function placed({ name, style, points }: ChartLine, across: Scale, up: Scale): PictureLine {
  return {
    name,
    style,
    isMarked: points.length <= MOST_MARKED_POINTS,
    points: points.map((point) => ({
      x: across.at(point.x),
      y: point.value === null ? Number.NaN : up.at(point.value),
      // Second members of a family are hollow.
      isFilled: style.dash.length === 0,
      point,
    })),
  };
}

function shade({ of, name, fromS, toS }: ChartSpan, across: Scale): Mark[] {
  const [from, to] = [across.at(fromS), across.at(toS)];
  const corners: Place[] = [
    [from, 0],
    [from, 1],
    [to, 1],
    [to, 0],
  ];
  const area: Mark = { colour: SHADES[of], corners };
  // A fault may be too short for its name, which stands in the legend.
  if (of === 'fault') return [area];
  return [area, { colour: FAINT, words: name, at: [from, 1], shiftPx: [6, 13], align: 'left' }];
}

/** Whiskers, and a band over neighbours. */
function intervals({ style, points }: PictureLine, up: Scale): Mark[] {
  const stretches: { low: Place; high: Place }[][] = [[]];
  for (const { x, y, point } of points) {
    const { interval } = point;
    if (interval === null || Number.isNaN(x + y)) stretches.push([]);
    else stretches.at(-1)!.push({ low: [x, up.at(interval.low) || 0], high: [x, up.at(interval.high)] });
  }
  const bands = stretches.filter(({ length }) => length > 1);
  return [
    ...bands.map((band) => ({
      colour: style,
      opacity: 0.13,
      corners: [...band.map(({ high }) => high), ...band.toReversed().map(({ low }) => low)],
    })),
    ...stretches.flat().map(({ low, high }) => ({ colour: style, opacity: 0.5, from: low, to: high, widthPx: 1 })),
  ];
}

/** Where a cell is not valid there is no figure, and the chart says so at its place. */
function crosses({ style, points }: PictureLine, row: number): Mark[] {
  const shift = -4 - CROSS_PX * (row % MOST_CROSSES);
  return points
    .filter(({ x, point }) => point.instead !== null && !Number.isNaN(x))
    .map(({ x }) => ({ colour: style, words: '✕', at: [x, 0], shiftPx: [0, shift], align: 'center' }));
}

/** Words at points. */
function labels({ style, points }: PictureLine): Mark[] {
  return points.flatMap(({ x, y, point: { label } }): Mark[] => {
    if (label === undefined || Number.isNaN(y)) return [];
    const isLeft = x <= LABEL_LEFT_FROM;
    return [
      { colour: style, words: label, at: [x, y], shiftPx: [isLeft ? 7 : -7, 4], align: isLeft ? 'left' : 'right' },
    ];
  });
}

/** `server restart, 25 to 30.2 s`. */
export function spanText({ name, fromS, toS }: ChartSpan): string {
  return `${name}, ${formatTick(fromS)} to ${formatTick(toS)} s`;
}

export function faultsIn(spans: readonly ChartSpan[]): ChartSpan[] {
  return spans.filter((span) => span.of === 'fault');
}

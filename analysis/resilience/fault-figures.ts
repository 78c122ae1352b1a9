/**
 * The figures of a fault that was asked for: their names and meanings, which tables, CSV files and the report derive from,
 * and their pooling over the trials of a cell. Browser-safe.
 */
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { FaultSummary } from '../../results/formats/summary.ts';
import { interval95 } from '../statistics/interval.ts';
import { meanOfKnown, onlyKnown, roundFigure } from '../statistics/quantile.ts';

type FaultFigureName = {
  [Name in keyof FaultSummary]: FaultSummary[Name] extends FaultSummary['arrivedMs'] ? Name : never;
}[keyof FaultSummary];

/** The columns of the view `fault_figures` that tell of a figure that it never came. */
type NeverColumn = 'typingAgainNever' | 'arrivedNever' | 'agreeNever';

export interface FaultFigure {
  /** In `summary.json`, and its column in the view `fault_figures`. */
  name: FaultFigureName;
  /** In a sentence, without the unit. */
  label: string;
  /** For a narrow heading in two lines, with the unit. */
  short: readonly [string, string];
  /** That of the heading. */
  unit: string;
  /** So many of the figure's own units are one of the heading's. */
  per: number;
  /** Where it may never come. */
  never: NeverColumn | null;
  what: string;
}

const SECOND = 1000;

function figure(
  name: FaultFigureName,
  label: string,
  short: FaultFigure['short'],
  entry: Pick<FaultFigure, 'what' | 'unit'> & Partial<FaultFigure>,
): FaultFigure {
  return { name, label, short, per: 1, never: null, ...entry };
}

export const FAULT_FIGURES: readonly FaultFigure[] = [
  figure('typingAgainMs', 'typing stopped', ['typing', 'stopped s'], {
    unit: 's',
    per: SECOND,
    never: 'typingAgainNever',
    what: 'the longest time for which keys of a user who was struck did not show on the own screen; 0: typing never stopped',
  }),
  figure('arrivedMs', 'all arrived', ['all', 'arrived s'], {
    unit: 's',
    per: SECOND,
    never: 'arrivedNever',
    what: 'from the end until all that was typed meanwhile had reached every other screen',
  }),
  figure('agreeMs', 'agree again', ['agree', 'again s'], {
    unit: 's',
    per: SECOND,
    never: 'agreeNever',
    what: 'from the end until everyone saw everyone’s edits as soon as before; never, where documents differ in the end',
  }),
  figure('sigilsMissingPercent', 'sigils missing', ['sigils', 'missing %'], {
    unit: '%',
    what: 'of the sigils typed meanwhile, on other screens',
  }),
  figure('lostCharacters', 'lost', ['lost', 'chars.'], {
    unit: 'chars.',
    what: 'characters typed in the whole trial that are in no document in the end, or not in every one; so many at least',
  }),
  figure('doubledCharacters', 'doubled', ['doubled', 'chars.'], {
    unit: 'chars.',
    what: 'characters of the document that nobody typed, as those that came back or came twice; so many at least',
  }),
  figure('usersGone', 'gone', ['users', 'gone'], {
    unit: 'users',
    what: 'users whose client gave up for good',
  }),
  figure('cursorJumps', 'cursor jumps', ['cursor', 'jumps'], {
    unit: 'times',
    what: 'how often others’ changes moved a cursor from between its neighbours, until 10 s after the end',
  }),
  figure('largestCursorJump', 'farthest', ['farthest', 'chars.'], {
    unit: 'chars.',
    what: 'the farthest of these jumps',
  }),
  figure('frozenMs', 'frozen', ['frozen', 's'], {
    unit: 's',
    per: SECOND,
    what: 'for how long the page that was worst stood still in tasks of 50 ms or longer, until 10 s after the end',
  }),
];

/**
 * Pools the faults of a cell's valid trials, each with the same fault of the others. Figures are means over trials, which are the
 * independent unit here: a trial has one of each.
 */
export function poolFaults(trials: readonly (readonly TrialFault[])[]): FaultSummary[] {
  const groups = Map.groupBy(trials.flat(), ({ fault }) => fault);
  return [...groups].sort(([a], [b]) => a - b).map(([, faults]) => poolFault(faults));
}

function poolFault(faults: readonly TrialFault[]): FaultSummary {
  const { fault, kind } = faults[0]!;
  const figures = FAULT_FIGURES.map((figure) => [figure.name, poolFigure(faults, figure)] as const);
  return {
    fault,
    kind,
    users: Math.max(...faults.map(({ users }) => users)),
    atS: roundFigure(meanOfKnown(faults.map(({ atS }) => atS)))!,
    forS: roundFigure(meanOfKnown(faults.map(({ forS }) => forS))),
    trials: faults.length,
    ...(Object.fromEntries(figures) as Record<FaultFigureName, FaultSummary[FaultFigureName]>),
  };
}

/** Waits may be 0, so that no interval on the log scale could be had; and none is under 0, so neither is a bound. */
function poolFigure(faults: readonly TrialFault[], { name, never }: FaultFigure): FaultSummary[FaultFigureName] {
  const known = onlyKnown(faults.map((fault) => fault[name]));
  const interval = interval95(known, 'linear');
  return {
    mean: roundFigure(meanOfKnown(known)),
    ci95: interval && { low: roundFigure(Math.max(0, interval.low)), high: roundFigure(interval.high) },
    never: never === null ? 0 : faults.filter((fault) => fault[never]).length,
  };
}

/** A row of the view `fault_figures`. A figure is null if it never came, or is not known. */
export interface TrialFault
  extends Readonly<Record<FaultFigureName, number | null>>,
    Readonly<Record<NeverColumn, boolean>> {
  /** Its place in the experiment's list, from 0. */
  readonly fault: number;
  readonly kind: AskedFaultKind;
  /** How many it struck. */
  readonly users: number;
  /** Seconds from when typing began. */
  readonly atS: number;
  /** Null if it did not end. */
  readonly forS: number | null;
}

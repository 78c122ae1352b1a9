/** The answer to a change of a library: what of it changed for sure, what did not, what is not known, and if it holds together. */
import { HOLDS } from '../cell/condition.ts';
import { notesOf, reasonsOf } from '../cell/messages.ts';
import type { CellChange, Comparison } from '../compare/compared-run.ts';
import type { FigureChange } from '../compare/figure-change.ts';
import { describeChange } from '../compare/format.ts';
import { judgeThresholds, type Threshold } from '../compare/threshold.ts';
import { countOf, enumerate } from '../figures/figure-text.ts';
import { describeSpeed, mostStolenPercent } from '../figures/machine-speed.ts';

/**
 * `broken`: the change fails its users; `unknown`: a figure that decides could not be judged; `refused`: nothing could be
 * measured, as an input is bad or something is missing.
 */
export type CiOutcome = 'passed' | 'regression' | 'broken' | 'unknown' | 'refused';

/** Codes that a pipeline can tell apart. A refusal has that of its error: 2 of a bad input, 3 of what is missing. */
export const CI_EXIT_CODES: Readonly<Record<CiOutcome, number>> = {
  passed: 0,
  regression: 1,
  refused: 2,
  broken: 4,
  unknown: 5,
};

/** One property of the conformance suite. */
export interface ConformanceFinding {
  mode: string;
  property: string;
  outcome: 'holds' | 'fails' | 'known issue' | 'not supported';
  message: string | null;
}

/** A figure of a cell, as texts. */
export interface CiChange extends ReturnType<typeof describeChange> {
  cell: string;
  /** With its unit. */
  figure: string;
  kind: 'worse' | 'better' | 'same' | 'unknown';
  /** The sentence of a threshold that is missed, or cannot be judged. */
  gate: string | null;
}

export interface CiReport {
  schemaVersion: 1;
  /** The framework as the command names it. */
  written: string;
  /** Its name, once it is known. */
  subject: string;
  base: string;
  profile: string;
  outcome: CiOutcome;
  /** Sentences; empty if it passed. */
  reasons: string[];
  conformance: ConformanceFinding[];
  changes: CiChange[];
  /** Conditions that the figures hang on; without figures none. */
  machine: string | null;
  notes: string[];
  /** The command that repeats it. */
  repeat: string;
}

export interface CiFindings
  extends Pick<CiReport, 'written' | 'subject' | 'base' | 'profile' | 'conformance' | 'notes' | 'repeat'> {
  /** Null if nothing was measured. */
  comparison: Comparison | null;
  thresholds: readonly Threshold[];
  environment: Record<string, unknown>;
}

/** Judges findings: broken before regression, regression before unknown. */
export function reportOf({ comparison, thresholds, environment, ...findings }: CiFindings): CiReport {
  const cells = comparison?.cells ?? [];
  const measured = new Set(cells.flatMap(({ figures }) => figures.map(({ figure }) => figure.name)));
  const absent = comparison === null ? [] : thresholds.filter(({ figure }) => !measured.has(figure));
  const present = thresholds.filter((threshold) => !absent.includes(threshold));
  const gates = comparison === null ? [] : judgeThresholds(comparison, present);
  const fails = findings.conformance.filter(({ outcome }) => outcome === 'fails');
  const broken = [
    ...fails.map(({ property, mode, message }) => `${property} fails in ${mode}: ${message ?? 'no reason is known'}`),
    ...cells.flatMap(failuresOf),
  ];
  const missed = gates.filter(({ kind }) => kind === 'missed').map(({ text }) => text);
  const unknown = [
    ...(comparison === null && fails.length === 0 ? ['nothing could be measured'] : []),
    ...absent.map(({ text }) => `${text}: no run has that figure; there are ${[...measured].join(', ')}`),
    ...gates.filter(({ kind }) => kind === 'unknown').map(({ text }) => text),
    ...cells.flatMap((cell) => suspicionsOf(cell, thresholds, gates)),
  ];
  const judged: [CiOutcome, string[]][] = [
    ['broken', broken],
    ['regression', missed],
    ['unknown', unknown],
  ];
  const [outcome, reasons] = judged.find(([, found]) => found.length > 0) ?? (['passed', []] as const);
  return {
    schemaVersion: 1,
    ...findings,
    outcome,
    reasons: [...new Set(reasons)],
    changes: cells.flatMap((cell) =>
      cell.figures.flatMap((change) => {
        const own = gates.filter((each) => each.cell === cell.name && each.figure === change.figure.name);
        const gate = own.find(({ kind }) => kind === 'missed') ?? own[0] ?? null;
        return change.trials.base + change.trials.new === 0 ? [] : [changeOf(cell, change, gate)];
      }),
    ),
    machine: cells.length === 0 ? null : machineOf(cells, environment),
    notes: [
      ...new Set([
        ...findings.notes,
        ...(comparison?.warnings ?? []),
        ...cells.flatMap(invalidityOf),
        ...cells.flatMap(documentNotesOf),
      ]),
    ],
  };
}

/** A report of an error that came before any figure. */
export function refusalOf(
  message: string,
  of: Pick<CiReport, 'written' | 'subject' | 'base' | 'profile' | 'repeat'>,
): CiReport {
  const empty = { conformance: [], changes: [], machine: null, notes: [] };
  return { schemaVersion: 1, ...of, ...empty, outcome: 'refused', reasons: [message] };
}

function changeOf(
  cell: CellChange,
  change: FigureChange,
  gate: ReturnType<typeof judgeThresholds>[number] | null,
): CiChange {
  const { figure } = change;
  const of = { cell: cell.name, figure: `${figure.label}, ${figure.unit}`, ...describeChange(change) };
  return { ...of, kind: gate?.kind === 'missed' ? 'worse' : kindOf(change), gate: gate?.text ?? null };
}

function kindOf({ isBetter, word }: FigureChange): CiChange['kind'] {
  if (isBetter !== null) return isBetter ? 'better' : 'worse';
  return word === 'no difference found' ? 'same' : 'unknown';
}

/** Trials that the change failed, where the base failed none. */
function failuresOf({ name, base, new: fresh }: CellChange): string[] {
  if (fresh.failedTrials === 0 || base.failedTrials > 0) return [];
  const why = reasonsOf(fresh.messages)[0] ?? 'no reason is known';
  return [
    `${name}: the change failed ${fresh.failedTrials} of ${countOf(fresh.trials, 'trial')}, the base none: ${why}`,
  ];
}

/** Changes beyond their threshold that may be chance, and all that too few pairs of trials tell of. */
function suspicionsOf(
  { name, figures }: CellChange,
  thresholds: readonly Threshold[],
  gates: ReturnType<typeof judgeThresholds>,
): string[] {
  return figures.flatMap((change) => {
    const { figure, changePercent, difference, word, trials } = change;
    if (gates.some((gate) => gate.cell === name && gate.figure === figure.name)) return [];
    const { change: by, interval } = describeChange(change);
    return thresholds.flatMap(({ figure: watched, kind, operator, bound, text }) => {
      const seen = { percent: changePercent, difference, value: null }[kind];
      if (watched !== figure.name || seen === null) return [];
      if (word === 'too few trials') {
        return [`${name}: ${text}: ${countOf(trials.new, 'pair')} of trials, too few to tell a change from chance`];
      }
      if (!HOLDS[operator](seen, bound)) return [];
      return [`${name}: ${text}: it may have changed by ${by} (${interval} ${change.ci95Unit}), or be chance`];
    });
  });
}

function invalidityOf({ name, base, new: fresh }: CellChange): string[] {
  return Object.entries({ base, change: fresh }).flatMap(([side, { validTrials, trials, messages }]) => {
    const reasons = enumerate(reasonsOf(messages), { most: 2, between: '; ' });
    return validTrials === trials ? [] : [`${name}, ${side}: ${reasons}`];
  });
}

/** Notes on a document by itself, such as how far a slow replay came; those of typing are many, and stand in its report. */
function documentNotesOf({ name, functional, new: fresh }: CellChange): string[] {
  return functional === null ? notesOf(fresh.messages).map((note) => `${name}: ${note}`) : [];
}

/** A machine of which others take so much measures their load too; the verdict of a trial asks the same. */
function machineOf(cells: readonly CellChange[], { cpu, cores }: Record<string, unknown>): string {
  const measured = cells.flatMap(({ base, new: fresh }) => [base, fresh]);
  const taken = mostStolenPercent(measured);
  const others =
    taken === null ? 'how much others took of it is not known' : `others took up to ${taken.toFixed(1)} % of it`;
  return `${cores ?? '?'} cores of ${cpu ?? 'an unknown CPU'}; ${describeSpeed(measured)}; ${others}`;
}

/** Cells as `summary.json` has them, which nests what stands side by side in a cell: no other code knows that form. Browser-safe. */
import type { DocumentCell, ScenarioName } from '../../results/formats/documents.ts';
import { type AnySummary, readersIn, serversIn, storeIn } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { leavesOf, nestFigures } from '../figures/nested.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { BARE_CELL, type Cell, type MeasuredRun } from '../scenarios/cell.ts';
import { tellMessages } from './messages.ts';

/** A cell for `summary.json`, and for other programs. */
export function cellJson(cell: Cell, scenario: ScenarioName): CellSummary | DocumentCell {
  const { parameters, tier, version, trials, validTrials, failedTrials, verdict, figures, ci95, curves } = cell;
  const counted = { version, trials, validTrials, failedTrials, verdict, ...tellMessages(cell.messages) };
  // Of documents, names with a dot are no paths.
  if (!SCENARIOS[scenario].isTyping) return { ...parameters, ...counted, ...figures, ci95, curves } as DocumentCell;
  const { converged, fullyFunctional, smooth, faults, missedBounds } = cell;
  const mode = String(parameters.mode);
  return {
    ...parameters,
    readers: readersIn(mode) || undefined,
    ...backingOf(mode),
    tier,
    ...counted,
    ...nestFigures(Object.entries(figures)),
    ...{ converged, fullyFunctional, smooth, ci95 },
    ...(faults.length === 0 ? {} : { faults }),
    missedBounds,
  } as unknown as CellSummary;
}

/** The store and the other servers behind a server; a cell without it has no such column. */
function backingOf(mode: string): Pick<CellSummary, 'store' | 'servers'> {
  const backing: Pick<CellSummary, 'store' | 'servers'> = {};
  const [store, servers] = [storeIn(mode), serversIn(mode)];
  if (store !== undefined) backing.store = store;
  if (servers > 1) backing.servers = servers;
  return backing;
}

/** A run as its `summary.json` tells it. */
export function readSummary(summary: AnySummary): MeasuredRun {
  const { experiment, startedAt, environment } = summary;
  const scenario = 'scenario' in summary ? summary.scenario : 'typing';
  return { scenario, experiment, startedAt, environment, cells: summary.cells.map((cell) => readCell(cell, scenario)) };
}

/** Properties of a written cell that are neither parameters nor figures. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['readers', 'store', 'servers', 'tier', 'version', 'trials', 'validTrials', 'failedTrials', 'verdict'],
  ...['reasons', 'notes', 'messages'],
  ...['ci95', 'curves', 'converged', 'fullyFunctional', 'smooth', 'faults', 'missedBounds'],
]);

/** @param json as a run wrote it: what is younger than the run is missing */
export function readCell(json: CellSummary | DocumentCell, scenario: ScenarioName): Cell {
  const written = json as Partial<CellSummary & DocumentCell> & Pick<CellSummary, 'version' | 'verdict'>;
  const { trials = 0, validTrials = 0, failedTrials = 0, version, verdict } = written;
  const names = SCENARIOS[scenario].parameters.map(({ name }) => name).filter((name) => Object.hasOwn(json, name));
  const values = json as Readonly<Record<string, unknown>>;
  const parameters = Object.fromEntries(names.map((name) => [name, values[name] as string | number]));
  const others = Object.entries(json).filter(([name]) => !OTHERS.has(name) && !names.includes(name));
  return {
    name: Object.values(parameters).join('-'),
    parameters,
    tier: written.tier ?? 'unknown',
    ...{ version, trials, validTrials, failedTrials, verdict },
    messages: written.messages ?? [],
    figures: Object.fromEntries(leavesOf(Object.fromEntries(others)).filter(isFigure)),
    ci95: written.ci95 ?? {},
    ...BARE_CELL,
    missedBounds: written.missedBounds ?? [],
    converged: written.converged ?? null,
    fullyFunctional: written.fullyFunctional ?? null,
    smooth: written.smooth ?? null,
    faults: written.faults ?? [],
    curves: written.curves ?? {},
  };
}

function isFigure(leaf: [string, unknown]): leaf is [string, number | null] {
  return leaf[1] === null || typeof leaf[1] === 'number';
}

/** One framework's valid cells in one block of a campaign, and the straight lines through them that unit costs are read off. */
import type { ScenarioName } from '../../results/formats/documents.ts';
import { readersIn } from '../../results/formats/run-directory.ts';
import { EDIT_RATE } from '../figures/company-figures.ts';
import { US_PER_CPU_PERCENT } from '../figures/resource-figures.ts';
import type { Cell, MeasuredRun } from '../scenarios/cell.ts';
import { fitLine, type Line } from '../statistics/interval.ts';
import { meanOfKnown } from '../statistics/quantile.ts';

const MIB = 2 ** 20;

export class Block {
  readonly #runs: readonly Pick<MeasuredRun, 'scenario' | 'cells'>[];

  /** @param runs of one block */
  constructor(runs: readonly MeasuredRun[], framework: string) {
    this.#runs = runs.map(({ scenario, cells }) => ({
      scenario,
      cells: cells.filter(({ parameters, validTrials }) => parameters.framework === framework && validTrials > 0),
    }));
  }

  /** Those with these parameters. */
  cells(scenario: ScenarioName, of: Readonly<Record<string, unknown>> = {}): Cell[] {
    return this.#runs
      .flatMap((run) => (run.scenario === scenario ? run.cells : []))
      .filter(({ parameters }) => Object.entries(of).every(([name, value]) => parameters[name] === value));
  }

  /** The mean of a figure over such cells; null: not known. */
  figure(scenario: ScenarioName, name: string, of: Readonly<Record<string, unknown>> = {}): number | null {
    return meanOfKnown(this.cells(scenario, of).map(({ figures }) => figures[name] ?? null));
  }

  /** µs of server CPU for an update, over the others who type too. Null: fewer than two numbers of users tell. */
  get update(): Line | null {
    const points = this.#updates().filter(({ readers }) => readers === 0);
    // CPU is off by as much in a small cell as in a large one.
    return fitLine(points.map(({ users, us, perSecond }) => ({ x: users - 1, y: us, weight: perSecond ** 2 })));
  }

  /** The same over the readers, of cells with as many users. */
  get reader(): Line | null {
    const points = this.#updates();
    const users = points.find(({ readers }) => readers > 0)?.users;
    return fitLine(points.filter((point) => point.users === users).map(({ readers, us }) => ({ x: readers, y: us })));
  }

  #updates(): { users: number; readers: number; us: number; perSecond: number }[] {
    return this.cells('typing').flatMap(({ parameters, figures }) => {
      const { serverCpuPercent: cpu = null, serverIdleCpuPercent: idle = null } = figures;
      const perSecond = figures[EDIT_RATE.name] ?? null;
      if (cpu === null || idle === null || !perSecond) return [];
      const us = ((cpu - idle) * US_PER_CPU_PERCENT) / perSecond;
      return [{ users: Number(parameters.users), readers: readersIn(String(parameters.mode)), us, perSecond }];
    });
  }

  /** MiB for each open document of so many edits. */
  documentMiB(edits: number | undefined): number | null {
    const cells = this.cells('memory', { edits });
    const at = (documents: number, memoryMiB: number | null = null) =>
      memoryMiB === null ? [] : [{ x: documents, y: memoryMiB }];
    const full = cells.flatMap(({ parameters, figures }) => at(Number(parameters.documents), figures.openMiB));
    // One number of documents leaves but the idle server beside it, whose memory was not at rest.
    const idle = new Set(full.map(({ x }) => x)).size > 1 ? [] : cells.flatMap(({ figures }) => at(0, figures.idleMiB));
    return fitLine([...idle, ...full])?.slope ?? null;
  }

  /** MiB of memory for each MiB of a document's text, over documents of these numbers of edits. */
  perTextMiB(sizes: readonly number[]): number | null {
    const points = sizes.flatMap((edits) => {
      const [characters, memoryMiB] = [this.figure('memory', 'characters', { edits }), this.documentMiB(edits)];
      return characters === null || memoryMiB === null ? [] : [{ x: characters / MIB, y: memoryMiB }];
    });
    return fitLine(points)?.slope ?? null;
  }
}

/** Different numbers of edits, from the fewest on. */
export function sizesIn(cells: readonly Cell[]): number[] {
  return [...new Set(cells.map(({ parameters }) => Number(parameters.edits)))].sort((a, b) => a - b);
}

/** Results of a run so far: its trials, their verdicts, and changes of finished ones. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { readCell } from '../../analysis/cell/cell-json.ts';
import { SUMMARY_FIGURES } from '../../analysis/figures/catalogue.ts';
import { figureOf } from '../../analysis/figures/figure.ts';
import { isHopeless } from '../../documents/run.ts';
import { PLAN_FILE, SUMMARY_FILE, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { type Verdict, verdictSchema } from '../../results/formats/verdict.ts';
import { readJson } from '../../results/run-folder/run-files.ts';

/** Only what is needed here, and the same for all scenarios. */
const planSchema = z.object({ trials: z.array(z.object({ directory: z.string() })) });

const summarySchema = z.object({ cells: z.array(z.looseObject({})) });
const LATENCIES = SUMMARY_FIGURES.filter(({ source }) => source.pooled === 'quantile');

export class ResultsOnDisk {
  readonly folder: string;
  /** Of trials when they were first seen finished, by name. */
  readonly #digests = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** True if there is a run that can be continued. */
  get isBegun(): boolean {
    return existsSync(join(this.folder, PLAN_FILE));
  }

  isFinished(trial: string): boolean {
    return existsSync(join(this.#folderOf(trial), VERDICT_FILE));
  }

  /** Names of all trials that it is to have; none before it has begun. */
  async planned(): Promise<string[]> {
    if (!this.isBegun) return [];
    const { trials } = await readJson(join(this.folder, PLAN_FILE), planSchema);
    return trials.map(({ directory }) => basename(directory));
  }

  async finished(): Promise<string[]> {
    return (await this.planned()).filter((trial) => this.isFinished(trial));
  }

  /** True if all have a verdict, but for those of cells that the run gave up. */
  async isComplete(): Promise<boolean> {
    const [planned, finished] = [await this.planned(), await this.finished()];
    if (planned.length === 0 || finished.length === planned.length) return planned.length > 0;
    const cellOf = (trial: string) => trial.replace(/-\d+$/, '');
    const verdicts = await Promise.all(finished.map((trial) => this.verdictOf(trial)));
    const givenUp = new Set(finished.filter((_, index) => verdicts[index] && isHopeless(verdicts[index])).map(cellOf));
    return planned.every((trial) => finished.includes(trial) || givenUp.has(cellOf(trial)));
  }

  /** Null if there is none, or none any more: the machine was taken away from the trial, and it is run again. */
  async verdictOf(trial: string): Promise<Verdict | null> {
    return this.isFinished(trial) ? readJson(join(this.#folderOf(trial), VERDICT_FILE), verdictSchema) : null;
  }

  async areAllValid(): Promise<boolean> {
    const verdicts = await Promise.all((await this.finished()).map((trial) => this.verdictOf(trial)));
    return verdicts.every((verdict) => verdict?.verdict === 'valid');
  }

  /** Takes in what finished trials are. @returns those that were something else before */
  async changed(): Promise<string[]> {
    const changed: string[] = [];
    const finished = await this.finished();
    for (const trial of new Set([...finished, ...this.#digests.keys()])) {
      const digest = await this.#digestOf(trial);
      const before = this.#digests.get(trial) ?? digest;
      // The machine was taken away from it; it is kept elsewhere, and run again.
      if (digest !== before && (await this.#isSetAside(trial))) this.#digests.delete(trial);
      else if (digest !== before) changed.push(trial);
      else this.#digests.set(trial, digest);
    }
    return changed;
  }

  /** Latencies of its summary that are longer than any trial. */
  async impossibleLatencies(longestMs: number): Promise<string[]> {
    const { cells } = await readJson(join(this.folder, SUMMARY_FILE), summarySchema);
    return cells
      .map((cell) => readCell(cell as unknown as CellSummary, 'typing'))
      .flatMap((cell) =>
        LATENCIES.map((figure) => ({ name: figure.name, value: figureOf(cell, figure) }))
          .filter(({ value }) => value !== null && Math.abs(value) > longestMs)
          .map(({ name, value }) => `${name} ${value}`),
      );
  }

  #folderOf(trial: string): string {
    return join(this.folder, 'trials', trial);
  }

  async #isSetAside(trial: string): Promise<boolean> {
    const aside = await readdir(join(this.folder, 'interrupted')).catch(() => []);
    return aside.some((name) => name.startsWith(`${trial}-attempt-`));
  }

  async #digestOf(trial: string): Promise<string> {
    const entries = await readdir(this.#folderOf(trial), { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const hash = createHash('sha256');
    for (const file of files.sort()) hash.update(file).update(await readFile(file).catch(() => 'gone'));
    return hash.digest('hex');
  }
}

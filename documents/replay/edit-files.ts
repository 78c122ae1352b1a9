/** The files that the trials of a run read their edits from, each made when the first trial needs it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trace } from '../../traces/format.ts';
import type { EngineAbout } from '../engines/engine.ts';
import { writeEdits } from './edits.ts';
import { stepsOf } from './steps.ts';

export class EditFiles {
  readonly #folder: string;
  readonly #trace: Trace;
  readonly #made = new Map<string, Promise<void>>();

  /** @param folder of whoever made it, who removes it */
  constructor(folder: string, trace: Trace) {
    this.#folder = folder;
    this.#trace = trace;
  }

  /** How many edits the trace has in all. */
  get edits(): number {
    const start = this.#trace.kind === 'sequential' && this.#trace.startContent !== '' ? 1 : 0;
    return this.#trace.txns.reduce((sum, { patches }) => sum + patches.length, start);
  }

  /** Of the edits that the engine is given; of a concurrent trace, of its steps. */
  async pathFor({ prefix }: Pick<EngineAbout, 'prefix'>, repeat: number): Promise<string> {
    const path = join(this.#folder, `${prefix?.edits ?? 'all'}-${repeat}`);
    const made = this.#made.get(path) ?? this.#make(path, { repeat, atMost: prefix?.edits });
    this.#made.set(path, made);
    await made;
    return path;
  }

  async #make(path: string, options: { repeat: number; atMost?: number }): Promise<void> {
    if (this.#trace.kind === 'concurrent') await writeFile(path, JSON.stringify(stepsOf(this.#trace)));
    else await writeEdits(path, this.#trace, options);
  }
}

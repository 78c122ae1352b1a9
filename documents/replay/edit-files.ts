/**
 * The files that the trials of a run read their edits from, each made when the first trial needs it. A concurrent trace becomes
 * steps: its authors take in one another's updates, and then type.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../results/user-error.ts';
import { causalOrder } from '../../traces/concurrent.ts';
import type { ConcurrentTrace, SequentialTrace, Trace } from '../../traces/format.ts';
import { replay } from '../../traces/replay.ts';
import { resolveTrace } from '../../traces/store.ts';
import { isEdit, unitCounterFor, writeEdits } from './edits.ts';

/** The trace of that name. @throws UserError (2) if it is not here, or has several authors */
export async function traceOfOneAuthor(name: string): Promise<SequentialTrace> {
  const trace = await resolveTrace(name);
  if (trace.kind === 'sequential') return trace;
  throw new UserError(
    `the trace "${name}" has several authors, and the document here has one: take another with --trace, such as synthetic`,
  );
}

/** How much of a trace, and how often. */
export interface Share {
  /** Absent: all of it. */
  atMost?: number;
  repeat: number;
}

export class EditFiles {
  readonly #folder: string;
  readonly #trace: Trace;
  readonly #made = new Map<string, Promise<string>>();

  /** @param folder the run's, which removes it */
  constructor(folder: string, trace: Trace) {
    this.#folder = folder;
    this.#trace = trace;
  }

  /** How many edits the trace has in all. */
  get edits(): number {
    const start = this.#trace.kind === 'sequential' && this.#trace.startContent !== '' ? 1 : 0;
    return this.#trace.txns.reduce((sum, { patches }) => sum + patches.filter(isEdit).length, start);
  }

  /** Of so many edits, as `editsOf` takes them; of a concurrent trace, of all its steps. */
  pathFor(share: Share): Promise<string> {
    const path = join(this.#folder, `${share.atMost ?? 'all'}-${share.repeat}`);
    const made = this.#made.get(path) ?? this.#make(path, share);
    this.#made.set(path, made);
    return made;
  }

  async #make(path: string, share: Share): Promise<string> {
    if (this.#trace.kind === 'concurrent') await writeFile(path, JSON.stringify(stepsOf(this.#trace)));
    else await writeEdits(path, this.#trace, share);
    return path;
  }
}

/** `[position, deleted, inserted]`, in UTF-16 units. */
type StepEdit = [number, number, string];

export interface Step {
  agent: number;
  /** The transactions of others whose updates the agent takes in first, as numbers of steps, in causal order. */
  receives: number[];
  edits: StepEdit[];
}

export interface Steps {
  /** One for each transaction. */
  steps: Step[];
  /** In the end each agent takes in these, so that all hold everything. */
  last: number[][];
  endContent: string;
}

/** @throws UserError (2) if the trace cannot be replayed */
export function stepsOf(trace: ConcurrentTrace): Steps {
  const edits: StepEdit[][] = trace.txns.map(() => []);
  const toUnits = unitCounterFor(trace);
  replay(trace, {
    typed({ document, position, deleted, inserted, transaction }) {
      if (!isEdit([position, deleted, inserted])) return;
      const at = toUnits(document, 0, position);
      edits[transaction]!.push([at, toUnits(document, position, deleted), inserted]);
    },
  });
  const { receives, last } = causalOrder(trace);
  const steps = trace.txns.map(
    ({ agent }, transaction): Step => ({
      agent,
      receives: receives[transaction]!,
      edits: edits[transaction]!,
    }),
  );
  return { steps, last, endContent: trace.endContent };
}

/**
 * Replays a concurrent trace: one Yjs document per agent, which exchange updates as the transactions' parents say.
 * Such a trace has no two concurrent inserts at one place, so that any merge gives the recorded result.
 */
import * as Y from 'yjs';
import { UserError } from '../results/user-error.ts';
import { applyChange, type Change, checkPatch, type Observer } from './change.ts';
import type { ConcurrentTrace, Patch } from './format.ts';
import { GapBuffer } from './gap-buffer.ts';

/** How many transactions of each agent a state holds. Agents' histories are linear, so this names the state. */
type Version = number[];

/** The update of a transaction without patches. */
const NOTHING = Y.encodeStateAsUpdate(new Y.Doc());

/**
 * @returns the document once all transactions are merged, in code points
 * @throws UserError (2) if a patch reaches outside its agent's document, or an agent's history is not one line
 */
export function replayConcurrent(trace: ConcurrentTrace, observer?: Observer): GapBuffer {
  const agents = Array.from({ length: trace.numAgents }, (_, agent) => new Agent(agent, observer));
  const { receives, last } = causalOrder(trace);
  const updates: Uint8Array[] = [];
  const bring = (agent: Agent, transactions: readonly number[]) =>
    agent.receive(transactions.map((transaction) => updates[transaction]!));
  for (const [transaction, { agent: number, patches }] of trace.txns.entries()) {
    const agent = agents[number]!;
    bring(agent, receives[transaction]!);
    updates.push(agent.type(patches, transaction));
  }
  bring(agents[0]!, last[0]!);
  return agents[0]!.document;
}

/**
 * Transactions that agents take in of one another, as numbers of these in causal order.
 *
 * @returns `receives`: before each transaction, its agent; `last`: in the end each agent, so that all hold everything
 * @throws UserError (2) if an agent's history is not one line
 */
export function causalOrder({ numAgents, txns }: ConcurrentTrace): { receives: number[][]; last: number[][] } {
  /** The transactions of each agent, as indexes. */
  const written: number[][] = Array.from({ length: numAgents }, () => []);
  const held: Version[] = written.map(() => written.map(() => 0));
  const versions: Version[] = [];
  const bringTo = (agent: number, version: Version): number[] => {
    const missing = written.flatMap((transactions, other) => transactions.slice(held[agent]![other], version[other]));
    held[agent] = [...version];
    // Parents come before their children in the file, so this order is causal.
    return missing.sort((a, b) => a - b);
  };
  const receives = txns.map(({ agent, parents }, transaction) => {
    const before = written.map((_, other) => Math.max(0, ...parents.map((parent) => versions[parent]![other]!)));
    const forgotten = held[agent]!.findIndex((count, other) => count > before[other]!);
    if (forgotten !== -1) throw forgetsError(transaction, agent, written[forgotten]![before[forgotten]!]!);
    const missing = bringTo(agent, before);
    written[agent]!.push(transaction);
    held[agent]![agent]!++;
    versions.push([...held[agent]!]);
    return missing;
  });
  const all = written.map(({ length }) => length);
  return { receives, last: held.map((_, agent) => bringTo(agent, all)) };
}

/** An agent cannot forget: all that it wrote or received before must be among the ancestors of what it writes now. */
function forgetsError(transaction: number, agent: number, lost: number): UserError {
  return new UserError(
    `Transaction ${transaction} is by agent ${agent}, who already held transaction ${lost}, but its parents ` +
      'do not descend from that one. What an agent writes must be one line of history: the parents are wrong.',
  );
}

class Agent {
  readonly document = new GapBuffer();
  readonly #number: number;
  readonly #observer: Observer | undefined;
  readonly #replica = new Y.Doc();
  readonly #characters: Y.Array<string>;

  constructor(number: number, observer: Observer | undefined) {
    this.#number = number;
    this.#observer = observer;
    this.#replica.clientID = number;
    this.#characters = this.#replica.getArray('characters');
    this.#characters.observe((event, transaction) => {
      if (!transaction.local) this.#show(event.changes.delta);
    });
  }

  /** Makes the patches in the own document, and returns the Yjs update that carries them. */
  type(patches: readonly Patch[], transaction: number): Uint8Array {
    let update = NOTHING;
    const keep = (made: Uint8Array) => {
      update = made;
    };
    this.#replica.once('update', keep);
    this.#replica.transact(() => {
      for (const [index, patch] of patches.entries()) {
        checkPatch(this.document, patch, { transaction, patch: index });
        const [position, deleted, inserted] = patch;
        const change = { author: this.#number, document: this.document, position, deleted, inserted };
        this.#observer?.typed({ ...change, transaction });
        applyChange(change);
        if (deleted > 0) this.#characters.delete(position, deleted);
        if (inserted !== '') this.#characters.insert(position, Array.from(inserted));
      }
    });
    this.#replica.off('update', keep);
    return update;
  }

  receive(updates: readonly Uint8Array[]): void {
    if (updates.length === 0) return;
    const applyAll = () => {
      for (const update of updates) Y.applyUpdate(this.#replica, update);
    };
    Y.transact(this.#replica, applyAll, null, false);
  }

  #show(delta: Y.YArrayEvent<string>['changes']['delta']): void {
    let position = 0;
    for (const { retain = 0, delete: deleted = 0, insert = [] } of delta) {
      position += retain;
      const inserted = (insert as string[]).join('');
      if (deleted > 0 || inserted !== '') this.#receive({ position, deleted, inserted });
      position += insert.length;
    }
  }

  #receive(part: Pick<Change, 'position' | 'deleted' | 'inserted'>): void {
    const change = { author: this.#number, document: this.document, ...part };
    this.#observer?.received?.(change);
    applyChange(change);
  }
}

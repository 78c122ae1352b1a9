/** Trials at a server that somebody else runs: it is asked who it is first, and each trial has a document of its own. */
import type { Framework } from '../../frameworks/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { Unavailable } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { type AttachedServer, observedOf, serverFor } from '../experiment/servers.ts';
import { costReader } from '../probes/observed-server.ts';
import { documentAddress } from './address.ts';
import { FRESH, freshName, reach, sayHello } from './hello.ts';
import { PROTOCOLS } from './protocols.ts';
import { SERVER_READ_ONLY, SERVER_REFUSED, sayRefusal } from './refusals.ts';

/** A name that no document has: trials of different runs never meet. */
export function freshDocument({ cell, trial }: Pick<PlannedTrial, 'cell' | 'trial'>): string {
  return freshName(`${cell}-${trial}`);
}

/** True of a name that the trial took by itself. */
export function isFresh(document: string, { cell, trial }: Pick<PlannedTrial, 'cell' | 'trial'>): boolean {
  return FRESH.test(document) && document.replace(FRESH, '') === `${cell}-${trial}`;
}

/** The trials of a plan at servers that somebody else runs. */
export function attachedTrials(
  { servers }: Pick<Experiment, 'servers'>,
  plan: readonly PlannedTrial[],
): PlannedTrial[] {
  return plan.filter(({ framework }) => serverFor({ servers }, framework) !== null);
}

/** The document that a person named for this trial, of those at such servers; undefined: none, so it takes a fresh one. */
export function namedDocument(
  experiment: Pick<Experiment, 'documents' | 'servers'>,
  plan: readonly PlannedTrial[],
  { directory }: Pick<PlannedTrial, 'directory'>,
): string | undefined {
  const attached = attachedTrials(experiment, plan);
  return experiment.documents[attached.findIndex((planned) => planned.directory === directory)];
}

/** The list of documents for a run of these trials alone: without those that a person named for others of the plan. */
export function documentsFor(
  experiment: Pick<Experiment, 'documents' | 'servers'>,
  { plan, trials }: { plan: readonly PlannedTrial[]; trials: readonly PlannedTrial[] },
): string[] {
  // The trials of an instrument all have the first of it.
  if (experiment.servers.attached.length === 0) return experiment.documents;
  return trials.flatMap((planned) => namedDocument(experiment, plan, planned) ?? []);
}

/** How long a document that a person named is watched before it counts as empty: a store may load it late. */
const LOOK_MS = 3000;

/**
 * Proves, before anything is written, that the framework's protocol is spoken there, and that the document is empty and may be
 * written.
 *
 * @param options.isNamed true: a person named the document, which somebody may have written into
 * @param options.isStrange true: nothing was said there before
 * @returns how long it was watched, ms
 * @throws UserError (3) with what was seen and what to change
 */
export async function proveAttachable(
  server: AttachedServer,
  framework: Framework,
  { document, isNamed, isStrange = false }: { document: string; isNamed: boolean; isStrange?: boolean },
): Promise<number> {
  const observed = observedOf(server);
  if (observed !== undefined) await costReader(observed);
  const attaching = framework.about.attaches!;
  const address = documentAddress(server, document, attaching);
  const refuse = (text: string): never => {
    throw new Unavailable(`${server.url}: ${text}`);
  };
  const refuseUnlessWrite = (seen: string) => server.write || refuse(`the document ${document} ${seen}; ${OTHERWISE}`);
  if (PROTOCOLS.every(({ name }) => name !== attaching.protocol)) {
    if (isNamed) refuseUnlessWrite(`cannot be proved empty, as the protocol of ${framework.name} is not known here`);
    await reach(address);
    return 0;
  }
  const lookMs = isNamed && !server.write ? LOOK_MS : 0;
  const hello = await sayHello(address, { expected: attaching.protocol, isStrange, lookMs });
  if (hello === null) return refuse(`it takes WebSockets, but speaks no protocol that is known here; ${HELLO}`);
  if (hello.protocol.name !== attaching.protocol) {
    return refuse(`${hello.protocol.title} answered, which ${framework.name} does not speak; ${HELLO}`);
  }
  if (hello.denied !== null) {
    return refuse(sayRefusal({ kind: 'not let in', seen: `gives out no document: ${JSON.stringify(hello.denied)}` }));
  }
  if (hello.access === 'read-only') return refuse('the token may only read; give one that may write');
  if (hello.isEmpty === false) refuseUnlessWrite('is not empty');
  if (hello.isEmpty === null) refuseUnlessWrite('could not be proved empty, as the server did not say');
  return lookMs;
}

/** A server that refuses so many trials does not want the load, whatever the framework. */
const MOST_REFUSALS = 3;

/** Counts the trials that servers refused, by their addresses as they are written. */
export class Refusals {
  readonly #refusedBy = new Map<string, number>();

  /** @throws UserError (3) once there were too many, or if later ones must end alike: the server is gone, or takes no edit */
  async heed(url: string, { reasons }: Pick<Verdict, 'reasons'>, isThere: () => Promise<unknown>): Promise<void> {
    const refusal = reasons.find(({ code }) => code === SERVER_REFUSED || code === SERVER_READ_ONLY);
    if (refusal === undefined) return;
    const refused = (this.#refusedBy.get(url) ?? 0) + 1;
    this.#refusedBy.set(url, refused);
    if (refused >= MOST_REFUSALS || refusal.code === SERVER_READ_ONLY) {
      const which = refused === 1 ? 'the trial' : `${refused} trials, the last so`;
      throw new Unavailable(`${url} refused ${which}: ${refusal.message}`);
    }
    await isThere();
  }
}

const HELLO = './scriptorium hello says what to type';
const OTHERWISE =
  'name another document, or add --write if users may change its text (a resumed run keeps the setting: begin another with --out)';

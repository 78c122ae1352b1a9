/** Trials at a server that somebody else runs: it is asked who it is first, and each trial has a document of its own. */
import type { Framework } from '../../frameworks/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { AttachedServer } from '../experiment/servers.ts';
import { costReader, observedOf } from '../probes/observed-server.ts';
import { documentAddress } from './address.ts';
import { freshName, sayHello } from './hello.ts';
import { SERVER_REFUSED, sayRefusal } from './refusals.ts';

/** The experiment's server for a framework; null: the trial starts its own. */
export function serverFor({ servers }: Pick<Experiment, 'servers'>, framework: string): AttachedServer | null {
  return servers.find((server) => server.framework === framework) ?? null;
}

/** A name that no document has: trials of different runs never meet. */
export function freshDocument({ cell, trial }: Pick<PlannedTrial, 'cell' | 'trial'>): string {
  return freshName(`${cell}-${trial}`);
}

/**
 * Proves, before anything is written, that the framework's protocol is spoken there, and that the document is empty and may be
 * written.
 *
 * @throws UserError (3) with what was seen and what to change
 */
export async function proveAttachable(server: AttachedServer, framework: Framework, document: string): Promise<void> {
  const observed = observedOf(server);
  if (observed !== undefined) await costReader(observed);
  const attaching = framework.about.attaches!;
  const where = server.url;
  const refuse = (text: string) => {
    throw new UserError(`${where}: ${text}`, { exitCode: 3 });
  };
  const hello = await sayHello(documentAddress(server, document, attaching), attaching.protocol);
  if (hello === null) return refuse(`it takes WebSockets, but speaks no protocol that is known here; ${HELLO}`);
  if (hello.protocol.name !== attaching.protocol) {
    return refuse(`${hello.protocol.title} answered, which ${framework.name} does not speak; ${HELLO}`);
  }
  if (hello.denied !== null) {
    return refuse(sayRefusal({ kind: 'not let in', seen: `gives out no document: ${JSON.stringify(hello.denied)}` }));
  }
  if (hello.access === 'read-only') return refuse('the token may only read; give one that may write');
  if (hello.isEmpty !== true && !server.write) {
    const seen = hello.isEmpty === false ? 'is not empty' : 'could not be proved empty, as the server did not say';
    refuse(`the document ${document} ${seen}; name another, or say --write if its text may be spoilt`);
  }
}

/** A server that refuses so many trials does not want the load, whatever the framework. */
const MOST_REFUSALS = 3;

/** Counts the trials of a run that a server refused. */
export function createRefusals(): { heed(verdict: Pick<Verdict, 'reasons'>): void } {
  let refused = 0;
  return {
    /** @throws UserError (3) with the server's last words once there were too many */
    heed({ reasons }) {
      const refusal = reasons.find(({ code }) => code === SERVER_REFUSED);
      if (refusal === undefined) return;
      refused++;
      if (refused < MOST_REFUSALS) return;
      throw new UserError(`the server refused ${refused} trials, the last so: ${refusal.message}`, { exitCode: 3 });
    },
  };
}

const HELLO = './scriptorium hello says what to type';

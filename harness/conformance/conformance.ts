/** The conformance suite: every framework, in every mode that it supports, against every property, in real Chrome. */
import type { Browser } from 'puppeteer-core';
import type { FrameworkInfo } from '../frameworks/discover.ts';
import { type Mode, modesOf, screenOf } from '../modes.ts';
import { PROPERTIES, type Property } from './properties.ts';
import { startServerThread } from './server-thread.ts';
import { type ConformanceSession, openSession } from './session.ts';

/** Of each user; as in a trial. */
const BATCHING = { receiveMs: 50, sendMs: 0 };
const USERS = 2;
/** Saved states are looked at with every property. */
export const SAVED_STATE = { id: 'saved-state', title: 'saved states load into the same document' };

export type Outcome = 'holds' | 'fails' | 'known issue' | 'not supported';

export interface Finding {
  property: string;
  outcome: Outcome;
  /** Why it does not hold, or is not supported. */
  message: string | null;
}

export interface CheckResult {
  framework: string;
  mode: Mode;
  findings: Finding[];
}

/**
 * Checks one framework in one mode. A property that fails spoils the document, so the next one gets a new one.
 *
 * @param options.only ids of the properties to check; empty: all
 * @param options.seed draws the random edits and the delays; what real sockets add to the timing it cannot draw
 */
export async function checkFramework(options: {
  framework: FrameworkInfo;
  mode: Mode;
  browser: Browser;
  pageUrl: string;
  seed: number;
  only: readonly string[];
  signal: AbortSignal;
}): Promise<CheckResult> {
  const { framework, mode, browser, pageUrl, seed, only, signal } = options;
  const { name, about } = framework;
  const wanted = PROPERTIES.filter(({ id }) => only.length === 0 || only.includes(id));
  const same = (outcome: Outcome, message: string): CheckResult => {
    const findings = [...wanted, SAVED_STATE].map(({ id }): Finding => ({ property: id, outcome, message }));
    return { framework: name, mode, findings };
  };
  const reason = whyNot(framework, mode);
  if (reason !== null) return same('not supported', reason);
  if (framework.problem !== null) return same('fails', framework.problem);

  const findings: Finding[] = [];
  const failed = (property: string, message: string): Finding => {
    const known = (about.knownIssues ?? []).find(({ properties }) => properties.includes(property));
    return known === undefined
      ? { property, outcome: 'fails', message }
      : { property, outcome: 'known issue', message: known.summary };
  };
  const savedStates: (boolean | null)[] = [];
  const server = await startServerThread(name).catch((error: Error) => error);
  if (server instanceof Error) return same('fails', server.message);
  let session: ConformanceSession | null = null;
  const leaveRoom = async () => {
    if (session !== null) savedStates.push(session.savedStatesHold());
    await session?.close();
    session = null;
  };
  const run = async ({ id, run }: Property): Promise<Finding> => {
    try {
      if (session === null) {
        session = openSession({
          browser,
          pageUrl,
          server: { host: '127.0.0.1', port: server.port },
          session: {
            framework: name,
            screen: screenOf(mode),
            documentId: `check-${mode}-${seed}-${findings.length}`,
            batching: BATCHING,
          },
          seed,
        });
        while (session.clients.length < USERS) await session.join();
      }
      await run(session);
      return { property: id, outcome: 'holds', message: null };
    } catch (error) {
      signal.throwIfAborted();
      await leaveRoom();
      return failed(id, error instanceof Error ? error.message : String(error));
    }
  };
  try {
    for (const property of wanted) {
      signal.throwIfAborted();
      findings.push(await run(property));
    }
    await leaveRoom();
  } finally {
    await leaveRoom();
    await server.stop();
  }
  const known = savedStates.filter((each) => each !== null);
  if (known.length === 0) {
    const message = modesOf(about).includes(mode) ? 'a saved state cannot be loaded' : null;
    findings.push({ property: SAVED_STATE.id, outcome: 'not supported', message });
  } else if (known.every((each) => each)) {
    findings.push({ property: SAVED_STATE.id, outcome: 'holds', message: null });
  } else {
    findings.push(failed(SAVED_STATE.id, 'a saved state loaded into another document'));
  }
  return { framework: name, mode, findings };
}

/** Why nothing can be checked; null where all can. */
function whyNot({ about }: FrameworkInfo, mode: Mode): string | null {
  if (!modesOf(about).includes(mode)) return about.lacksModes![mode]!;
  if (about.oneWriter) return 'it merges nothing: one writer at a time';
  if (about.needsInternet) return 'it needs the internet';
  return null;
}

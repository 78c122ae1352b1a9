/** The conformance suite: every framework, in every mode that it supports, against every property, in real Chrome. */
import { isAbsolute, relative } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { presenceOf } from '../../editors/base/framework.ts';
import { LAUNCHER } from '../../infra/project.ts';
import { shellCommand } from '../../results/foreign-text.ts';
import { alignTable } from '../../results/text-table.ts';
import { messageOf } from '../../results/user-error.ts';
import type { Framework } from '../framework.ts';
import { type Mode, screenOf, whyNotIn } from '../modes.ts';
import { KEPT_WORLDS, playKeptWorlds } from './kept-worlds.ts';
import { CHECK_SIZES, type Outcome, PROPERTIES, SAVED_STATE } from './properties.ts';
import { startServerThread } from './server-thread.ts';
import { AGREE_LIMIT_MS, type CheckSize, ConformanceSession, NotSupported, type Property } from './session.ts';

/** As in a trial. */
const BATCHING = { receiveMs: 50, sendMs: 0 };
const USERS = 2;

export interface Finding {
  property: string;
  outcome: Outcome;
  /** Why it does not hold, or is not supported. */
  message: string | null;
}

export interface CheckResult {
  framework: string;
  /** The folder of one from outside, by which a command finds it; absent: its name is enough. */
  folder?: string;
  mode: Mode;
  findings: Finding[];
}

export interface CheckOptions {
  framework: Framework;
  mode: Mode;
  browser: Browser;
  pageUrl: string;
  /** Draws the random edits and the delays; what real sockets add to the timing it cannot draw. */
  seed: number;
  /** The ids of the properties to check; empty: all. */
  only: readonly string[];
  signal: AbortSignal;
  /** How long clients may take to agree; 10 s. */
  agreeLimitMs?: number;
  /** The full size by default. */
  size?: CheckSize;
  /** Told of each property before it is tried. */
  onProperty?(id: string): void;
}

/** Checks one framework in one mode. Rejects with the signal's reason if it aborts. */
export async function checkFramework(options: CheckOptions): Promise<CheckResult> {
  const { framework, mode, only, signal, onProperty } = options;
  const of = { framework: framework.name, mode, ...(framework.kind === 'outside' ? { folder: framework.root } : {}) };
  const properties = PROPERTIES.filter(({ id }) => only.length === 0 || only.includes(id));
  const all = (outcome: Outcome, message: string): CheckResult => {
    const findings = [...properties, SAVED_STATE].map(({ id }): Finding => ({ property: id, outcome, message }));
    return { ...of, findings };
  };
  const reason = whyNot(framework, mode);
  if (reason !== null) return all('not supported', reason);
  if (framework.problem !== null) return all('fails', framework.problem);
  const server = await startServerThread(framework).catch((error: Error) => error);
  if (server instanceof Error) return all('fails', server.message);

  const check = new FrameworkCheck(options, server.port);
  const findings: Finding[] = [];
  try {
    for (const property of properties) {
      signal.throwIfAborted();
      onProperty?.(property.id);
      findings.push(await check.run(property));
    }
  } finally {
    await check.closeSession().finally(() => server.stop());
  }
  findings.push(check.savedStates());
  const worlds = await playKeptWorlds(framework, signal);
  if (worlds !== null) findings.push({ property: KEPT_WORLDS.id, ...worlds });
  return { ...of, findings };
}

/** The properties act one after another on one document, until one fails: it spoils the document, so the next gets a new one. */
class FrameworkCheck {
  readonly #options: CheckOptions;
  readonly #port: number;
  #session: ConformanceSession | null = null;
  #documents = 0;
  readonly #savedStatesHold: boolean[] = [];

  constructor(options: CheckOptions, port: number) {
    this.#options = options;
    this.#port = port;
  }

  async run({ id, run, needsPresence = false }: Property): Promise<Finding> {
    const { lacking } = presenceOf(this.#options.framework.about);
    if (needsPresence && lacking !== undefined) return { property: id, outcome: 'not supported', message: lacking };
    try {
      await run(await this.#openSession({ hasPresence: needsPresence }));
      return { property: id, outcome: 'holds', message: null };
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof NotSupported) return { property: id, outcome: 'not supported', message: error.message };
      await this.closeSession();
      return this.#failed(id, messageOf(error));
    }
  }

  async closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    if (session.savedStatesHold !== null) this.#savedStatesHold.push(session.savedStatesHold);
    await session.close();
  }

  /** The finding on saved states, from the closed sessions. */
  savedStates(): Finding {
    const property = SAVED_STATE.id;
    if (this.#savedStatesHold.length === 0) {
      return { property, outcome: 'not supported', message: 'a saved state cannot be loaded' };
    }
    if (this.#savedStatesHold.every((holds) => holds)) return { property, outcome: 'holds', message: null };
    return this.#failed(property, 'a saved state loaded into another document');
  }

  async #openSession({ hasPresence }: { hasPresence: boolean }): Promise<ConformanceSession> {
    if (this.#session?.hasPresence === hasPresence) return this.#session;
    await this.closeSession();
    const { framework, mode, browser, pageUrl, seed } = this.#options;
    const { agreeLimitMs = AGREE_LIMIT_MS, size = CHECK_SIZES.full } = this.#options;
    const documentId = `check-${mode}-${seed}-${this.#documents++}`;
    this.#session = new ConformanceSession({
      browser,
      pageUrl,
      server: { host: '127.0.0.1', port: this.#port },
      session: { framework: framework.name, screen: screenOf(mode), documentId, batching: BATCHING },
      seed,
      agreeLimitMs,
      hasPresence,
      size,
    });
    while (this.#session.clients.length < USERS) await this.#session.join();
    return this.#session;
  }

  #failed(property: string, message: string): Finding {
    const { knownIssues = [] } = this.#options.framework.about;
    // Another failure of the property must not hide behind the known one.
    const known = knownIssues.find(
      ({ properties, says = '' }) => properties.includes(property) && message.includes(says),
    );
    if (known === undefined) return { property, outcome: 'fails', message };
    return { property, outcome: 'known issue', message: `${known.summary} (seen: ${message})` };
  }
}

/** Why nothing can be checked; null if all can. */
function whyNot({ about }: Framework, mode: Mode): string | null {
  const why = whyNotIn(mode, about);
  if (why !== null) return why;
  if (about.oneWriter) return 'it merges nothing: one writer at a time';
  if (about.needsInternet) return 'it needs the internet';
  return null;
}

const SIGNS: Record<Outcome, string> = { holds: '✓', fails: '✗', 'known issue': '!', 'not supported': '–' };

/** A table for people, a row for each framework and mode, with its columns' meanings and the reason for each cell that is not ✓. */
export function formatCheck(results: readonly CheckResult[], seed: number): string {
  const checked = new Set(results.flatMap(({ findings }) => findings.map(({ property }) => property)));
  const columns = [...PROPERTIES, SAVED_STATE, KEPT_WORLDS].filter(({ id }) => checked.has(id));
  const table = alignTable([
    ['framework', 'mode', ...columns.map(({ id }) => id)],
    ...results.map(({ framework, mode, findings }) => [
      framework,
      mode,
      ...columns.map(({ id }) => {
        const finding = findings.find(({ property }) => property === id);
        return finding === undefined ? '' : SIGNS[finding.outcome];
      }),
    ]),
  ]);
  const legend = columns.map(({ id, title }) => `  ${id}: ${title}`).join('\n');
  return [
    table,
    `✓ holds   ✗ fails   ! known issue of the library   – not supported\n${legend}`,
    ...explain(results, seed),
  ].join('\n\n');
}

/** A name as it is; a folder so that no name is taken for it. */
function asWritten(name: string): string {
  const path = relative(process.cwd(), name);
  return !isAbsolute(name) || path.startsWith('..') ? name : `./${path}`;
}

function explain(results: readonly CheckResult[], seed: number): string[] {
  const reasons = results.flatMap(({ framework, folder = framework, mode, findings }) =>
    findings
      .filter(({ outcome }) => outcome !== 'holds')
      .map((finding) => ({
        ...finding,
        where: `${framework} ${mode}`,
        words: [asWritten(folder), '--mode', mode],
      })),
  );
  // Often a whole row has one reason.
  const grouped = Map.groupBy(reasons, ({ outcome, message, where }) => JSON.stringify([outcome, message, where]));
  const lines = [...grouped.values()].map((group) => {
    const [{ outcome, message, where }] = group as [(typeof group)[number]];
    const properties = group.map(({ property }) => property).join(', ');
    return `${SIGNS[outcome]} ${where}, ${properties}: ${message}`;
  });
  const failures = reasons.filter(({ outcome }) => outcome === 'fails');
  const hint = failures.map(({ words, property }) => {
    // The others are looked at with every property, and `--only` takes none of them.
    const only = PROPERTIES.some(({ id }) => id === property) ? ['--only', property] : [];
    return `  ${shellCommand([LAUNCHER, 'check', ...words, ...only, '--seed', String(seed)])}`;
  });
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(hint.length > 0 ? [`To see a failure again (seed ${seed}):\n${[...new Set(hint)].join('\n')}`] : []),
  ];
}

/** The conformance suite for several frameworks side by side. */
import { severalAtOnce } from '../../infra/several-at-once.ts';
import type { Framework } from '../framework.ts';
import { MODES_WITH_PAGE, type Mode } from '../modes.ts';
import { type CheckOptions, type CheckResult, checkFramework } from './conformance.ts';
import { BRIEF_PROPERTIES, CHECK_SIZES, PROPERTIES } from './properties.ts';
import type { Property } from './session.ts';

/** Checks that run side by side: most of the time they wait for links and batches. */
const AT_ONCE = 4;
/** How often it says what it is at: a slow library takes minutes. */
const REMIND_MS = 15_000;
/** Without rendering, tests in Node prove the same of every framework. */
const BRIEF_MODE: Mode = 'optquill';
const idsOf = (which: (property: Property) => boolean) => PROPERTIES.filter(which).map(({ id }) => id);
/** The ids of properties that a brief check leaves out. */
export const LONG = idsOf(({ isLong = false }) => isLong);

/** The part of the suite that is to run. */
export interface SuiteChoice {
  mode?: Mode;
  /** The ids of the only properties; empty: all. */
  only: readonly string[];
  seed: number;
  /** True: in one mode, few random edits, and most properties for one framework of each library. */
  brief?: boolean;
}

type SuiteOptions = SuiteChoice &
  Pick<CheckOptions, 'browser' | 'signal'> & {
    /** The address of a framework's page. */
    pageUrlOf: (framework: Framework) => string;
    /** Gets a line for each result, and now and then what is under way. */
    say: (text: string) => void;
  };

type Task = Pick<CheckOptions, 'framework' | 'mode' | 'size' | 'only'>;

/** @returns a result for each framework and mode. @throws the signal's reason */
export async function checkFrameworks(
  frameworks: readonly Framework[],
  { pageUrlOf, say, ...options }: SuiteOptions,
): Promise<CheckResult[]> {
  const { browser, seed, signal } = options;
  const tasks = tasksOf(frameworks, options);
  // The longest first, so that none is left alone at the end.
  const waiting = tasks.toSorted((one, other) => other.only.length - one.only.length);
  const results = new Map<Task, CheckResult>();
  const underWay = new Map<Task, { property: string; sinceMs: number }>();
  const reminder = setInterval(() => {
    const now = [...underWay].map(([{ framework, mode }, { property, sinceMs }]) => {
      return `${framework.name} in ${mode}: ${property} for ${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;
    });
    if (now.length > 0) say(`checking ${now.join('; ')}`);
  }, REMIND_MS);
  // After a failure, pages and Chrome are still there for those that have begun.
  await severalAtOnce(waiting, AT_ONCE, async (task) => {
    signal.throwIfAborted();
    const { framework, mode } = task;
    const onProperty = (property: string) => underWay.set(task, { property, sinceMs: performance.now() });
    const pageUrl = pageUrlOf(framework);
    const result = await checkFramework({ ...task, browser, pageUrl, seed, signal, onProperty });
    underWay.delete(task);
    results.set(task, result);
    say(`${framework.name} ${framework.version} in ${mode}: ${sayResult(result)}`);
  }).finally(() => clearInterval(reminder));
  return tasks.map((task) => results.get(task)!);
}

function tasksOf(frameworks: readonly Framework[], { mode, only, brief = false }: SuiteChoice): Task[] {
  const inFull = brief ? firstOfEachLibrary(frameworks) : frameworks;
  const size = CHECK_SIZES[brief ? 'brief' : 'full'];
  const modes = brief ? [mode ?? BRIEF_MODE] : mode === undefined ? MODES_WITH_PAGE : [mode];
  const most = brief ? idsOf(({ id }) => !LONG.includes(id)) : [];
  return frameworks.flatMap((framework) => {
    const properties = only.length > 0 ? only : inFull.includes(framework) ? most : BRIEF_PROPERTIES;
    return modes.map((inMode) => ({ framework, mode: inMode, size, only: properties }));
  });
}

/** Frameworks of the project whose names begin with the same word join the same library to the same editor; of others no name tells. */
export function firstOfEachLibrary(frameworks: readonly Framework[]): Framework[] {
  const libraries = Map.groupBy(frameworks, (framework) =>
    framework.kind === 'project' ? framework.name.split('-')[0] : framework,
  );
  return [...libraries.values()].map(([first]) => first!);
}

/** `15 hold, 1 fails`. */
export function sayResult({ findings }: Pick<CheckResult, 'findings'>): string {
  const counts = Map.groupBy(findings, ({ outcome }) => outcome);
  return [...counts]
    .map(([outcome, { length }]) => `${length} ${length === 1 ? outcome : (PLURALS[outcome] ?? outcome)}`)
    .join(', ');
}

const PLURALS: Readonly<Record<string, string>> = { holds: 'hold', fails: 'fail', 'known issue': 'known issues' };

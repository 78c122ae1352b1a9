/** A framework as it is handed on, and its two halves: found once, when an experiment is loaded or a process begins that is told its name. */
import { pathToFileURL } from 'node:url';
import type { FrameworkAbout, FrameworkClient } from '../editors/base/framework.ts';
import { didYouMean } from '../results/nearest.ts';
import { messageOf, Unavailable } from '../results/user-error.ts';
import type { FrameworkServer } from '../servers/server.ts';
import type { PackageSet } from './packages/ready-packages.ts';
import { hookPublicModules } from './public-modules.ts';

/** Stands for a version if Google, or another operator, changes it without notice. */
export const AS_SERVED = 'as served';
export const MISSING = 'missing';

export interface Framework {
  /** As it stands in records, tables and names of files: without slashes. */
  name: string;
  /** `project`: one of this project; `version`: one of those with its package in another version; `outside`: anyone's. */
  kind: 'project' | 'version' | 'outside';
  /**
   * Version of the installed package. `missing`: it, or a half of the framework, is not there; `as served`: another's
   * service.
   */
  version: string;
  about: FrameworkAbout;
  /** Why nothing can be run with it, and what to do; null if all is well. */
  problem: string | null;
  /** The folder that its modules lie in: the project's, a tree of it (packages/source-tree.ts), or that of one from outside. */
  root: string;
  /** Paths of the two modules; of a framework that another hosts, there is nothing. */
  client: string;
  server: string;
  /** Packages that its code gets from the cache; null: all are those of the folders around it. */
  packages: PackageSet | null;
}

/** Frameworks by their names, for everything that a run asks of them. */
export type Frameworks = ReadonlyMap<string, Framework>;

export function byName(frameworks: readonly Framework[]): Frameworks {
  return new Map(frameworks.map((framework) => [framework.name, framework]));
}

/** The refusal of a name that no framework has. @param names those that there are */
export function noSuchFramework(name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  const outside = meant === '' ? '; or the folder of your own, such as ./mine' : '';
  return `there is no framework "${name}"${meant}; write one of: ${names.join(', ') || 'none is installed'}${outside}`;
}

/** @returns the framework. @throws UserError (exit code 3) if nothing can be run with it */
export function usable(framework: Framework): Framework {
  const { name, problem } = framework;
  if (problem === null) return framework;
  throw new Unavailable(`${name} cannot be used: ${problem}`);
}

/** The version for a record; of a framework that is hosted elsewhere, only the day is known. */
export function versionToday({ version, about }: Pick<Framework, 'version' | 'about'>): string {
  return about.hosted === undefined
    ? version
    : `${version} on ${new Date().toISOString().slice(0, '2026-11-20'.length)}`;
}

interface Taker {
  /** Absent: one of the project. */
  kind?: Framework['kind'];
  about: Pick<FrameworkAbout, 'onDemand' | 'needs'>;
}

/** True if the framework has files that are neither in the project's folder nor in its packages. */
export function hasFilesElsewhere({ kind = 'project', about }: Taker): boolean {
  return kind !== 'project' || about.onDemand !== undefined;
}

/** True if the framework needs more than the project's folder and its packages hold. */
export function takesMore(framework: Taker): boolean {
  return hasFilesElsewhere(framework) || framework.about.needs !== undefined;
}

/** The data for loading a framework's modules: plain, so that another thread can have it. */
export type Loadable = Pick<Framework, 'name' | 'kind' | 'client' | 'server'>;

/** @throws Error naming the framework, if its client cannot be loaded */
export async function loadClient(framework: Loadable): Promise<FrameworkClient> {
  return (await loadHalf<{ client: FrameworkClient }>(framework, 'client')).client;
}

/** @throws Error naming the framework, if its server cannot be loaded */
export async function loadServer(framework: Loadable): Promise<FrameworkServer> {
  return (await loadHalf<{ server: FrameworkServer }>(framework, 'server')).server;
}

/** @throws Error naming framework and module, such as when a package is missing */
export async function loadHalf<Module>(framework: Loadable, half: 'client' | 'server'): Promise<Module> {
  const { name, kind, [half]: path } = framework;
  if (kind === 'outside') hookPublicModules();
  try {
    return (await import(pathToFileURL(path).href)) as Module;
  } catch (cause) {
    throw new Error(`the ${half} of ${name} (${path}) cannot be loaded: ${messageOf(cause)}`, { cause });
  }
}

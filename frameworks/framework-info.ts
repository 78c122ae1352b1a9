/** What is known of a framework that experiments can name. */
import type { FrameworkAbout } from '../editors/base/framework.ts';
import type { PackageSet } from './packages/package-set.ts';

/** In the place of a version where Google, or who else it is, changes it without telling. */
export const AS_SERVED = 'as served';
export const MISSING = 'missing';

export interface FrameworkInfo {
  /** As it stands in records, tables and names of files: without slashes. */
  name: string;
  /** `project`: one of this project; `version`: one of those with its package in another version; `outside`: anyone's. */
  kind: 'project' | 'version' | 'outside';
  /** Of the installed package; `missing` where it, or a half of the framework, is not there, `as served` where another's service is used. */
  version: string;
  about: FrameworkAbout;
  /** Why nothing can be run with it, and what to do; null where all is well. */
  problem: string | null;
  halves: Halves;
}

interface Taker {
  /** Absent: one of the project. */
  kind?: FrameworkInfo['kind'];
  about: Pick<FrameworkAbout, 'onDemand' | 'needs'>;
}

/** Whether it has files that are neither in the project's folder nor in its packages. */
export function hasFilesElsewhere({ kind = 'project', about }: Taker): boolean {
  return kind !== 'project' || about.onDemand !== undefined;
}

/** Whether it takes more than there is in the project's folder and its packages. */
export function takesMore(framework: Taker): boolean {
  return hasFilesElsewhere(framework) || framework.about.needs !== undefined;
}

/** Where a framework's code is. */
export interface Halves {
  /** Paths of the two modules; of a framework that another hosts, there is nothing. */
  client: string;
  server: string;
  /** Packages that its code gets from the cache; null: all are those of the folders around it. */
  packages: PackageSet | null;
}

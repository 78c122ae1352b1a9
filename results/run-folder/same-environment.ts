/** May trials that were run at two times stand side by side in one run? The differences between two environments. */

/** Totals of memory that differ by less are one machine's: a new kernel keeps a little more or less for itself. */
const MEMORY_TOLERANCE = 0.02;

/** As `environment.json` holds it; it may be another version's. */
type Recorded = Readonly<Record<string, unknown>>;

/** Sentences' parts, such as `node: v24.1.0, now v24.2.0`; empty if all is the same. */
export interface EnvironmentDifferences {
  /** Versions of the project, Node, Chrome and packages; and the sources, if a run against another version tells them. */
  versions: string[];
  machine: string[];
}

/** Compares what figures depend on; a new kernel alone makes no other machine. */
export function environmentDifferences(before: Recorded, now: Recorded): EnvironmentDifferences {
  const compare = (keys: readonly string[], from: Recorded, to: Recorded) =>
    keys
      .filter((key) => from[key] !== to[key])
      .map((key) => `${key}: ${from[key] ?? 'not known'}, now ${to[key] ?? 'not known'}`);
  const [packagesBefore, packagesNow] = [packagesOf(before), packagesOf(now)];
  const packages = [...new Set([...Object.keys(packagesBefore), ...Object.keys(packagesNow)])].sort();
  const machine = ['cpu', 'cores', ...(isNear(before.memoryMiB, now.memoryMiB) ? [] : ['memoryMiB'])];
  return {
    versions: [
      ...compare(['scriptorium', 'sources', 'node', 'chrome'], before, now),
      ...compare(packages, packagesBefore, packagesNow),
    ],
    machine: compare(machine, before, now),
  };
}

function packagesOf({ packages }: Recorded): Recorded {
  return typeof packages === 'object' && packages !== null ? (packages as Recorded) : {};
}

function isNear(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= MEMORY_TOLERANCE * Math.max(a, b);
}

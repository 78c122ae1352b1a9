/** Sizes of containers: can this machine carry them, what Compose is told, and did the engine keep to it. */
import { Unavailable } from '../../results/user-error.ts';
import type { Need, Resources } from '../fleet.ts';
import type { Worker } from '../workers/connected-worker.ts';

const MIB_PER_GIB = 1024;
/** Engines round: CPU to a share of 100 ms, memory to pages. */
const TOLERANCE = 0.01;

/** Cores and memory of the machine. */
export interface Machine {
  cores: number;
  memoryMiB: number;
}

/**
 * @param trials the needs of each trial
 * @returns      a warning for the trial that asks for most, if that is more than the machine has
 * @throws UserError (exit code 3) if one container alone is too large
 */
export function checkSizes(trials: readonly (readonly Need[])[], machine: Machine): string[] {
  for (const { name, resources } of trials.flat()) {
    const { cpus, memoryMiB } = resources;
    if ((cpus ?? 0) <= machine.cores && (memoryMiB ?? 0) <= machine.memoryMiB) continue;
    throw new Unavailable(
      `a container for "${name}" with ${describe(resources)} does not fit this machine, which has ${describe({ cpus: machine.cores, memoryMiB: machine.memoryMiB })}; ask for less in "resources" of the experiment`,
    );
  }
  const sums = trials.map(sumOf);
  const most = (key: keyof Machine) => sums.reduce((largest, each) => (each[key] > largest[key] ? each : largest));
  const [byCpu, byMemory] = [most('cores'), most('memoryMiB')];
  return [
    ...(byCpu.cores > machine.cores
      ? [
          `warning: ${byCpu.containers} containers may use ${number(byCpu.cores)} cores in all, and this machine has ${machine.cores}: where they do, it is the machine that is measured`,
        ]
      : []),
    ...(byMemory.memoryMiB > machine.memoryMiB
      ? [
          `warning: ${byMemory.containers} containers may use ${number(byMemory.memoryMiB / MIB_PER_GIB)} GiB of memory in all, and this machine has ${number(machine.memoryMiB / MIB_PER_GIB)}: where they do, some will be killed`,
        ]
      : []),
  ];
}

/** Sum of the limits of a trial's containers; a container without a limit adds nothing. */
export function sumOf(needs: readonly Need[]): Machine & { containers: number } {
  const sum = (of: (resources: Resources) => number) =>
    needs.reduce((total, { count, resources }) => total + count * of(resources), 0);
  return {
    containers: sum(() => 1),
    cores: sum(({ cpus }) => cpus ?? 0),
    memoryMiB: sum(({ memoryMiB }) => memoryMiB ?? 0),
  };
}

/** The service of compose.yaml whose containers take jobs of this name. */
export function serviceOf(name: string): string {
  return name === 'users' ? 'user' : name;
}

/** The variables by which compose.yaml sets limits; 0 stands for none. */
export function sizeVariables(needs: readonly Need[]): Record<string, string> {
  return Object.fromEntries(
    needs.flatMap(({ name, resources: { cpus, memoryMiB } }) => [
      [`SCRIPTORIUM_${serviceOf(name).toUpperCase()}_CPUS`, String(cpus ?? 0)],
      [`SCRIPTORIUM_${serviceOf(name).toUpperCase()}_MEMORY`, memoryMiB === null ? '0' : `${memoryMiB}m`],
    ]),
  );
}

/** @returns a message if containers have other limits than they should, else null */
export function differingLimits(needs: readonly Need[], workers: readonly Worker[]): string | null {
  for (const { name, resources } of needs) {
    const other = workers.find(({ role, limits }) => role === name && !isSame(limits, resources));
    if (other === undefined) continue;
    return `the container ${other.name} for "${name}" was to have ${describe(resources)}, and has ${describe(other.limits)}: Docker's engine does not keep to limits here (on Linux it needs the cpu and memory control groups)`;
  }
  return null;
}

function isSame(seen: Resources, asked: Resources): boolean {
  const near = (a: number | null, b: number | null) =>
    a === null || b === null ? a === b : Math.abs(a - b) <= TOLERANCE * b;
  return near(seen.cpus, asked.cpus) && near(seen.memoryMiB, asked.memoryMiB);
}

function describe({ cpus, memoryMiB }: Resources): string {
  const memory = memoryMiB === null ? 'no memory limit' : `${number(memoryMiB)} MiB of memory`;
  return `${cpus === null ? 'no CPU limit' : `${number(cpus)} cores`} and ${memory}`;
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The faults of the nemesis: their effect on a run, and its expected end. */
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { pull, replacePackages, runElsewhere, undoPull } from './beside.ts';
import { cutPower, empty, fill, fillWithFiles, makeReadOnly, makeWritable, restorePower } from './disk.ts';
import { giveOrder, type Order } from './orders.ts';
import type { Need, Places } from './places.ts';
import {
  isRunning,
  listeningPorts,
  processesOf,
  type Role,
  type RunProcess,
  residentPages,
  sendSignal,
} from './processes.ts';
import { impersonate, intrude, readNothing } from './strangers.ts';

export interface Fault {
  name: string;
  /** The role of the process that it needs; it is not tried if there is none at the moment. */
  role: Role;
  /** Phases of a trial in which people type; by default all. */
  phases?: readonly string[];
  /** True if it takes a part of the nemesis in the struck process, or a way to its ports: no container has them. */
  needsAccess?: boolean;
  /** Only where the machine can meet it. */
  needs?: Need;
  /** How the command ends: in order, with 0 or 1, whatever its trials are; interrupted, with 130; unable to go on, with 3; or killed. */
  ends: 'in order' | 'interrupted' | 'unable' | 'killed';
  /**
   * Effect on the trial under way. `spoils`: the trial loses a part of itself and may not be valid, and its reason names the
   * part; `spares`: it loses none, and may not say so; `excuses`: it may lose any, and the framework is not blamed; `open`: either, as
   * the framework or Chrome bears it.
   */
  effect: 'spoils' | 'spares' | 'excuses' | 'open';
  /** True if only the next process of the same kind removes its remains. */
  leaves?: boolean;
  /** The command must have said so by its end. */
  says?: RegExp;
  /** Resolves when it is done. */
  inflict(victim: RunProcess, scene: Scene): Promise<void>;
  /** Undoes it, before the run is resumed. */
  recover?(scene: Scene): Promise<void>;
}

export interface Scene {
  all: readonly RunProcess[];
  random: prng.PRNG;
  places: Places;
  /** The command's stderr. */
  said: string;
  /** Tells of what must not be. */
  violate(what: string): void;
}

/** Longer than any stall that a person would take for one, shorter than what ends a trial. */
const STOPPED_MS = 1500;
/** Longer than what counts as one signal. */
const IMPATIENCE_MS = 700;
const HOUR_MS = 3_600_000;
/** A task that was killed is tried once more; a run asks for the next within seconds. */
const ANALYSES = 3;
const NEXT_LIMIT_MS = 10_000;
const NEXT_PERIOD_MS = 10;
/** Phases in which a run owns its folder. */
const UNDER_WAY = ['serve', 'admit', 'ready', 'idle', 'warm-up', 'measure', 'profile', 'settle', 'collect', 'done'];

const KILLED: Partial<Record<Role, Partial<Fault>>> = {
  coordinator: { ends: 'killed', effect: 'open' },
  analysis: { effect: 'open' },
  recorder: { ends: 'unable', effect: 'open' },
  worker: { leaves: true },
  zygote: { effect: 'open' },
  network: { effect: 'open' },
  graphics: { effect: 'open' },
};

function fault(given: Pick<Fault, 'name' | 'role' | 'inflict'> & Partial<Fault>): Fault {
  return { ends: 'in order', effect: 'spares', ...given };
}

const kill = (role: Role): Fault =>
  fault({
    name: `SIGKILL ${role}`,
    role,
    effect: 'spoils',
    inflict: async ({ pid }) => sendSignal(pid, 'SIGKILL'),
    ...KILLED[role],
  });

// It was late, which is what the figures then say.
const stop = (role: Role): Fault =>
  fault({
    name: `SIGSTOP ${role}`,
    role,
    async inflict({ pid }) {
      sendSignal(pid, 'SIGSTOP');
      await setTimeout(STOPPED_MS);
      sendSignal(pid, 'SIGCONT');
    },
  });

const hang = (role: Role): Fault =>
  fault({
    name: `SIGSTOP ${role} for good`,
    role,
    phases: ['warm-up', 'measure'],
    effect: 'spoils',
    inflict: async ({ pid }) => sendSignal(pid, 'SIGSTOP'),
  });

const interrupt = (name: NodeJS.Signals): Fault =>
  fault({ name, role: 'coordinator', ends: 'interrupted', inflict: async ({ pid }) => sendSignal(pid, name) });

const spoilDisk = (
  name: string,
  inflict: (disk: string) => Promise<void>,
  recover: (disk: string) => Promise<void>,
  more: Partial<Fault> = {},
): Fault =>
  fault({
    ...{ name, role: 'coordinator', needs: 'disk', ends: 'unable', effect: 'open' },
    inflict: (_, { places }) => inflict(places.disk),
    recover: ({ places }) => recover(places.disk),
    ...more,
  });

const order = (name: string, role: Role, effect: Fault['effect'], choose: (random: prng.PRNG) => Order): Fault =>
  fault({
    name: `${name} of ${role}`,
    role,
    effect,
    needsAccess: true,
    inflict: (victim, { random, places }) => giveOrder(victim, choose(random), places.orders),
  });

export const FAULTS: readonly Fault[] = [
  ...(['coordinator', 'server', 'users', 'crowd', 'audience', 'recorder', 'replayer', 'analysis'] as const).map(kill),
  ...(['worker', 'measurer', 'writers', 'newcomers', 'chrome', 'page', 'zygote', 'network', 'graphics'] as const).map(
    kill,
  ),
  ...(['coordinator', 'server', 'users', 'crowd', 'analysis', 'worker', 'measurer'] as const).map(stop),
  ...(['audience', 'writers', 'newcomers', 'chrome', 'page'] as const).map(stop),
  ...(['users', 'page', 'chrome'] as const).map(hang),
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(interrupt),
  fault({
    name: 'SIGINT as from a terminal',
    role: 'coordinator',
    ends: 'interrupted',
    // To its whole group.
    inflict: async ({ pid }) => sendSignal(-pid, 'SIGINT'),
  }),
  fault({
    name: 'SIGINT twice',
    role: 'coordinator',
    ends: 'interrupted',
    async inflict({ pid }) {
      sendSignal(pid, 'SIGINT');
      await setTimeout(IMPATIENCE_MS);
      sendSignal(pid, 'SIGINT');
    },
  }),
  fault({
    name: 'SIGKILL watcher, then the command',
    role: 'watcher',
    ends: 'killed',
    effect: 'open',
    async inflict({ pid }, { all }) {
      sendSignal(pid, 'SIGKILL');
      await setTimeout(STOPPED_MS);
      for (const { role, pid: command } of all) if (role === 'coordinator') sendSignal(command, 'SIGKILL');
    },
  }),
  ...(['coordinator', 'server', 'users', 'crowd', 'audience', 'worker', 'writers', 'newcomers'] as const).map((role) =>
    order('a cut connection', role, 'open', (random) => ({ do: 'cut', which: prng.real53(random) })),
  ),
  ...(['coordinator', 'server', 'users'] as const).map((role) =>
    order('all connections cut', role, 'open', () => ({ do: 'cut', which: 'all' })),
  ),
  ...(['coordinator', 'server', 'users', 'worker'] as const).map((role) =>
    order('a clock step', role, 'spares', (random) => ({
      do: 'step clock',
      byMs: prng.oneOf(random, [-HOUR_MS, HOUR_MS]),
    })),
  ),
  fault({
    ...{ name: 'strangers at every port', role: 'server', needsAccess: true },
    inflict: (_, { all, random }) => intrude(all, random),
  }),
  fault({
    ...{ name: 'slow readers', role: 'server', needsAccess: true },
    inflict: (_, { all, said }) => readNothing(all, said),
  }),
  fault({
    ...{ name: 'impostors', role: 'users', needsAccess: true },
    inflict: (_, { all, random }) => impersonate(all, random),
  }),
  spoilDisk('full disk', fill, empty),
  spoilDisk('full inode table', fillWithFiles, empty, { phases: UNDER_WAY }),
  spoilDisk('read-only run', makeReadOnly, makeWritable, { phases: UNDER_WAY }),
  spoilDisk('power cut', cutPower, restorePower, {
    ends: 'killed',
    leaves: true,
    async inflict(_, { all, places }) {
      // All end at one instant; meanwhile none of them writes.
      for (const { pid } of all) sendSignal(pid, 'SIGSTOP');
      await cutPower(places.disk);
      for (const { pid } of all) sendSignal(pid, 'SIGKILL');
    },
  }),
  fault({
    ...{ name: 'git pull', role: 'coordinator', needs: 'checkout', phases: UNDER_WAY },
    says: /sources of the project changed under this run/,
    inflict: (_, { places }) => pull(places.project),
    // Or going on would be refused, as it must.
    recover: ({ places }) => undoPull(places.project),
  }),
  fault({
    ...{ name: 'npm ci', role: 'coordinator', needs: 'checkout', phases: UNDER_WAY, ends: 'unable', effect: 'excuses' },
    inflict: (_, { places }) => replacePackages(places.project),
  }),
  fault({
    ...{ name: 'a second PID namespace', role: 'coordinator', needs: 'namespace', phases: UNDER_WAY },
    async inflict(victim, { places, violate }) {
      const { same, other } = await runElsewhere(places);
      if (other.code !== 0) violate(`a run elsewhere ended with ${other.code}: ${other.lastWords}`);
      if (same.code !== 2 && isRunning(victim)) violate(`a run elsewhere got its folder: ${same.lastWords}`);
    },
  }),
  fault({
    name: 'SIGKILL analysis three times',
    role: 'analysis',
    ends: 'unable',
    effect: 'open',
    async inflict(victim, { all }) {
      const roots = all.filter(({ role }) => role === 'coordinator').map(({ pid }) => pid);
      const endMs = performance.now() + NEXT_LIMIT_MS;
      const killed = new Set<number>();
      for (let next: RunProcess | undefined = victim; killed.size < ANALYSES && performance.now() < endMs; ) {
        if (next !== undefined) sendSignal(next.pid, 'SIGKILL');
        if (next !== undefined) killed.add(next.pid);
        await setTimeout(NEXT_PERIOD_MS);
        next = processesOf(roots).find(({ role, pid }) => role === 'analysis' && !killed.has(pid));
      }
    },
  }),
  fault({
    ...{ name: 'a line that loses what is on its way', role: 'users', effect: 'open', needsAccess: true },
    async inflict(victim, { all, random, places: { orders } }) {
      const serverPorts = listeningPorts(all.flatMap(({ role, pid }) => (role === 'server' ? [pid] : [])));
      await giveOrder(victim, { do: 'lose', serverPorts, forMs: prng.oneOf(random, [0, STOPPED_MS]) }, orders);
    },
  }),
];

/** Of several that do the same, such as pages, the largest: an empty one is nobody's. */
export function victimOf({ role }: Fault, all: readonly RunProcess[]): RunProcess | undefined {
  return all.filter((each) => each.role === role).sort((a, b) => residentPages(b) - residentPages(a))[0];
}

/**
 * The small experiments that faults are done to, each as short as it can be while all its parts have something to do; and the
 * choice of a run's faults and their moments.
 */
import { int31, oneOf, type PRNG, real53 } from 'lib0/prng';
import { crowdOf, sharingOf } from '../../editors/base/framework.ts';
import { isStoreProgram, type StoreName } from '../../editors/base/stores.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { Role } from './processes.ts';

export interface Subject {
  name: string;
  /** How often it is taken, relative to a subject of weight 1. */
  weight: number;
  /** Its kinds of process that faults can strike, beside the coordinator. */
  roles: readonly Role[];
  /** The longest delay of a fault after its phase has begun, ms. */
  delayMs: number;
  /** The workers that wait for it elsewhere. */
  workers?: readonly ('server' | 'users')[];
  /** True if its users and servers are in containers of this machine; it is taken only if containers are asked for. */
  containers?: boolean;
  /** True if its trials have the phases of typing; otherwise a trial is one phase. */
  types: boolean;
  /** The content of its experiment file, for so many trials, or a few more. */
  experiment(random: PRNG, trials: number): object;
}

/** Several may type in them, and npm brings all that they take. */
const able = (await discoverFrameworks()).filter(
  ({ about: { oneWriter, needsInternet, needs, onDemand } }) =>
    !oneWriter && !needsInternet && needs === undefined && onDemand === undefined,
);
const namesWith = (kind: 'recorded' | 'live') =>
  able.filter(({ about }) => crowdOf(about)?.kind === kind).map(({ name }) => name);
const FRAMEWORKS = able.map(({ name }) => name);
/** Few, because a recording of each is kept. */
const PLAYED = namesWith('recorded').slice(0, 2);
const LIVE = namesWith('live');
const READ = able.filter(({ about }) => about.attaches?.hasReaders).map(({ name }) => name);
/** In Node, each process and what holds the document. */
const TYPING_ROLES: Role[] = ['server', 'users', 'analysis', 'watcher'];
const CHROME_ROLES: Role[] = ['chrome', 'page', 'zygote', 'network', 'graphics'];

/** All that can be behind a framework's server with no program that one must install: a store, and a second server. */
function behind(framework: string): { stores: StoreName; servers: number } {
  const { about } = able.find(({ name }) => name === framework)!;
  const kept = Object.keys(about.stores ?? {}) as StoreName[];
  const stores = kept.find((name) => !isStoreProgram(name)) ?? 'memory';
  const sharing = sharingOf(about, stores);
  return { stores, servers: sharing === null || sharing.needsRedis === true ? 1 : 2 };
}

/** @param experiment its special properties */
function typing(experiment: { frameworks: string; trials: number; [property: string]: unknown }): object {
  return {
    name: 'fault',
    modes: 'node',
    users: 2,
    durations: { warmUp: '500ms', measure: '1500ms', profile: '0s', settle: '5s' },
    typing: { keysPerSecond: 10, sigilPeriod: '1s' },
    ...experiment,
  };
}

const twoOf = <T>(random: PRNG, [first, ...others]: readonly [T, ...T[]]): T[] => [first, oneOf(random, others)];

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'without a browser',
    weight: 6,
    types: true,
    roles: TYPING_ROLES,
    delayMs: 700,
    experiment: (random, trials) =>
      typing({ trials, frameworks: oneOf(random, FRAMEWORKS), users: oneOf(random, [2, 3, 4]) }),
  },
  {
    name: 'with delays, profiles and stores',
    weight: 2,
    types: true,
    roles: TYPING_ROLES,
    delayMs: 700,
    experiment(random, trials) {
      const framework = oneOf(random, FRAMEWORKS);
      return typing({
        trials,
        frameworks: framework,
        ...behind(framework),
        durations: { warmUp: '500ms', measure: '1500ms', profile: '1s', settle: '5s' },
        network: { groups: [{ name: 'far', share: 1, oneWayDelay: '20ms', jitter: '5ms' }] },
      });
    },
  },
  ...(['noquill', 'optquill'] as const).map(
    (mode): Subject => ({
      name: mode,
      weight: 2,
      types: true,
      roles: [...TYPING_ROLES, ...CHROME_ROLES],
      delayMs: 1500,
      experiment: (random, trials) => typing({ trials, frameworks: oneOf(random, FRAMEWORKS), modes: mode }),
    }),
  ),
  {
    name: 'a played crowd',
    weight: 2,
    types: true,
    roles: [...TYPING_ROLES, ...CHROME_ROLES, 'crowd', 'recorder', 'replayer'],
    delayMs: 1000,
    experiment: (random, trials) =>
      typing({
        trials,
        frameworks: oneOf(random, PLAYED),
        modes: 'noquill',
        users: 4,
        probes: 2,
        seed: oneOf(random, [1, 2, 3]),
      }),
  },
  {
    name: 'a live crowd',
    weight: 1,
    types: true,
    roles: [...TYPING_ROLES, ...CHROME_ROLES],
    delayMs: 1000,
    experiment: (random, trials) =>
      typing({ trials, frameworks: oneOf(random, LIVE), modes: 'noquill', users: 4, probes: 2 }),
  },
  {
    name: 'readers',
    weight: 1,
    types: true,
    roles: [...TYPING_ROLES, 'audience'],
    delayMs: 700,
    // Two of them have a client in Node, the others are sockets.
    experiment: (random, trials) => typing({ trials, frameworks: oneOf(random, READ), readers: 5 }),
  },
  {
    name: 'workers',
    weight: 3,
    types: true,
    roles: [...TYPING_ROLES, 'worker'],
    delayMs: 700,
    workers: ['server', 'users', 'users'],
    experiment: (random, trials) => typing({ trials, frameworks: oneOf(random, FRAMEWORKS), fleet: { on: 'workers' } }),
  },
  {
    name: 'containers',
    weight: 1,
    types: true,
    roles: [...TYPING_ROLES, 'worker'],
    containers: true,
    delayMs: 1000,
    experiment: (random, trials) =>
      typing({
        trials,
        frameworks: oneOf(random, FRAMEWORKS),
        fleet: { on: 'compose' },
        resources: { user: { cpus: 0.5, memoryMiB: 512 } },
      }),
  },
  {
    name: 'replay',
    weight: 1,
    types: false,
    roles: ['measurer'],
    delayMs: 500,
    experiment: (random, trials) => ({
      ...{ name: 'fault', scenario: 'replay', trials: Math.ceil(trials / 2), remote: '500ms' },
      engines: twoOf(random, ['yjs', 'string', 'loro', 'automerge']),
    }),
  },
  {
    name: 'state',
    weight: 1,
    types: false,
    roles: ['measurer'],
    delayMs: 500,
    experiment: (_, trials) => ({
      ...{ name: 'fault', scenario: 'state', trials: Math.ceil(trials / 2), warmUps: 1, repetitions: 2 },
      engines: ['string', 'yjs'],
    }),
  },
  {
    name: 'rest',
    weight: 1,
    types: false,
    roles: ['measurer'],
    delayMs: 500,
    experiment: (random, trials) => ({
      ...{
        name: 'fault',
        scenario: 'rest',
        trials: Math.ceil(trials / 2),
        sizes: [1000],
        edits: 100,
        compactEvery: 50,
      },
      stores: oneOf(random, ['sqlite', 'level', 'lmdb']),
      ways: twoOf(random, ['append', 'rewrite', 'compact', 'decompose']),
    }),
  },
  {
    name: 'join',
    weight: 1,
    types: false,
    roles: ['server', 'writers', 'newcomers', 'chrome', 'page', 'zygote', 'network', 'graphics'],
    // A trial takes about 5 s.
    delayMs: 2500,
    experiment: (random, trials) => ({
      ...{ name: 'fault', scenario: 'join', trials, edits: [200], typists: 1, joins: 1, limit: '15s' },
      frameworks: oneOf(random, FRAMEWORKS),
    }),
  },
];

/** @param containers true: a subject in containers; false: one without */
export function pickSubject(random: PRNG, { containers = false }: { containers?: boolean } = {}): Subject {
  const possible = SUBJECTS.filter((subject) => (subject.containers ?? false) === containers);
  return oneOf(
    random,
    possible.flatMap((subject) => Array.from({ length: subject.weight }, () => subject)),
  );
}

/** Before the first trial. */
export const START = 'start';
/** The one phase of trials in which nobody types. */
export const TRIAL = 'trial';
/** Of the others, in their order. */
const PHASES = [START, 'serve', 'admit', 'ready', 'idle', 'warm-up', 'measure', 'profile', 'settle', 'collect', 'done'];
/** Most faults are to find a trial under way. */
const PHASES_OF_DOCUMENTS = [START, TRIAL, TRIAL, TRIAL];

/** Most of the kinds of faults are done to the coordinator; not so most faults. */
const COORDINATORS_SHARE = 0.35;

/** A fault to come: its delay counts from the first moment that is not before its phase. */
export interface Strike {
  fault: Fault;
  phase: string;
  delayMs: number;
}

export function chooseStrike({ roles, types, delayMs, containers = false }: Subject, random: PRNG): Strike {
  // An image of the project does not change with a checkout.
  const ofCoordinator = FAULTS.filter(
    ({ role, needs }) => role === 'coordinator' && !(containers && needs === 'checkout'),
  );
  const ofOthers = FAULTS.filter(
    ({ role, phases, needsAccess = false }) =>
      roles.includes(role) && (types || phases === undefined) && !(containers && needsAccess),
  );
  const fault = oneOf(random, real53(random) < COORDINATORS_SHARE ? ofCoordinator : ofOthers);
  const ofDocuments = fault.phases === undefined ? PHASES_OF_DOCUMENTS : [TRIAL];
  const phases = types ? (fault.phases ?? PHASES) : ofDocuments;
  return { fault, phase: oneOf(random, [...phases]), delayMs: int31(random, 0, delayMs) };
}

/** @param now the phase that a trial is in; null: it has none */
export function isReached(phase: string, now: string | null): boolean {
  return now === null || PHASES.indexOf(now) >= PHASES.indexOf(phase);
}

/** `scriptorium doctor`: this machine's fitness to measure on. Each finding is good, or gives advice. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { STORE_PROGRAMS, type StoreProgramName } from '../../editors/base/stores.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { MODE_NAMES, MODES } from '../../frameworks/modes.ts';
import { type NeedState, needStates } from '../../frameworks/needs.ts';
import { formatPackages } from '../../frameworks/packages/ready-packages.ts';
import { chromeVersion, findChrome } from '../../infra/local/chrome.ts';
import { freeMemoryMiB } from '../../infra/machine/container.ts';
import { freePort } from '../../infra/network/listen-on.ts';
import { runCommand } from '../../infra/process/child.ts';
import { resultsFolder } from '../../infra/project.ts';
import { findStoreProgram } from '../../infra/stores/find.ts';
import { messageOf } from '../../results/user-error.ts';
import { CAN_PROBE_PROCESSES, memoryBytesOf, processTree } from '../probes/process-tree.ts';
import { launchChrome, SANDBOX_VARIABLE } from '../users/chrome/chrome.ts';
import { measureNoise, type Noise } from './machine-noise.ts';

export interface Check {
  name: string;
  /** `missing`: nothing can run. `warning`: runs, but figures may suffer. */
  state: 'good' | 'warning' | 'missing';
  seen: string;
  /** Advice, if it is not good. */
  advice?: string;
}

/** Completes "without a Chrome there …". */
const modesWithout = MODE_NAMES.filter((mode) => !MODES[mode].needsChrome);
const WITHOUT_CHROME = modesWithout.length === 0 ? 'is no mode' : `is only the mode ${modesWithout.join(', ')}`;
const NODE_MAJOR = 24;
/** Two users in one Chrome, the server and the harness. */
const LEAST_MEMORY_MIB = 512;
/** About ten users and some room. */
const AMPLE_MEMORY_MIB = 2_048;
/** One Chrome of 16 users holds several hundred files and sockets open. */
const AMPLE_FILES = 1_024;
/** A trial's records and profiles are some ten MiB. */
const LEAST_DISK_MIB = 100;
const AMPLE_DISK_MIB = 1_024;
/** A quarter of a frame (16.7 ms): later timers would show in latencies. */
const LATE_TIMER_MS = 4;
/** The most that a clock may be set by while we watch; the wall clock itself is only read to 1 ms. */
const CLOCK_DRIFT_MS = 2;
/** Finer than anything that is reported. */
const CLOCK_STEP_MS = 0.1;
const MUCH_STEAL_PERCENT = 2;
/** Others' share of the machine that leaves a measurement alone. */
const MUCH_BUSY_PERCENT = 25;

const MIB = 2 ** 20;

/** Checks everything, in about three seconds. Never throws for what it checks: that becomes a check's advice. */
export async function runDoctor(): Promise<Check[]> {
  // The noise first: Chrome would be part of it.
  const noise = await measureNoise();
  const frameworks = await discoverFrameworks();
  return [
    checkNode(process.versions.node),
    await checkChrome(),
    checkCores(availableParallelism(), loadavg()[0] ?? 0),
    checkMemory(freeMemoryMiB()),
    await checkPorts(),
    await checkFiles(),
    await checkDisk(resultsFolder()),
    ...(await needStates(frameworks)).map(checkNeed),
    ...(await Promise.all(STORE_PROGRAMS.map(async (name) => checkStoreProgram(name, await findStoreProgram(name))))),
    checkClock(noise),
    checkTimers(noise),
    checkOthers(noise),
    ...checkOnDemand(frameworks),
  ];
}

/** 3 if something needed is missing, else 0. */
export function doctorExitCode(checks: readonly Check[]): 0 | 3 {
  return checks.some(({ state }) => state === 'missing') ? 3 : 0;
}

/** One line per check, and one more if there is something to do. */
export function formatChecks(checks: readonly Check[]): string {
  const MARKS = { good: '✓', warning: '!', missing: '✗' };
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .flatMap(({ name, state, seen, advice }) => {
      const line = `${MARKS[state]} ${name.padEnd(width)}  ${seen}`;
      return advice === undefined ? [line] : [line, `  ${' '.repeat(width)}  → ${advice}`];
    })
    .join('\n');
}

/** Good as it is, or in a state that calls for advice. */
function judge(
  name: string,
  seen: string,
  faults: [wrong: boolean, state: 'warning' | 'missing', advice: string][],
): Check {
  const fault = faults.find(([wrong]) => wrong);
  if (fault === undefined) return { name, state: 'good', seen };
  const [, state, advice] = fault;
  return { name, state, seen, advice };
}

export function checkNode(version: string): Check {
  const old = Number.parseInt(version, 10) < NODE_MAJOR;
  return judge('Node', version, [
    [old, 'missing', `start by ./scriptorium, which installs Node ${NODE_MAJOR} for itself`],
  ]);
}

/** Finds Chrome and starts it the way a trial does. */
async function checkChrome(): Promise<Check> {
  const name = 'Chrome';
  try {
    const path = await findChrome();
    const version = await chromeVersion(path);
    const chrome = await launchChrome({ show: false });
    // Its sandboxed processes show their memory to root only.
    const isMemoryHidden = CAN_PROBE_PROCESSES && (await memoryBytesOf(processTree(chrome.pid))) === null;
    await chrome.close();
    return checkStartedChrome(`${version} starts (${path})`, isMemoryHidden);
  } catch (error) {
    const message = messageOf(error);
    const advice = `./scriptorium demo installs one where it can; else install Chrome, or set SCRIPTORIUM_CHROME; without one there ${WITHOUT_CHROME}`;
    // Up to where the message itself says what to do.
    return { name, state: 'missing', seen: message.split(/[\n;]/)[0] ?? message, advice };
  }
}

export function checkStartedChrome(seen: string, isMemoryHidden: boolean): Check {
  return judge('Chrome', seen, [
    [
      isMemoryHidden,
      'warning',
      `this account may not read the memory of Chrome’s sandboxed processes, so it stays unknown; to have it, run as root, or set ${SANDBOX_VARIABLE}=off where no page but this project’s is opened`,
    ],
  ]);
}

export function checkCores(cores: number, load: number): Check {
  return judge('Cores', `${cores}, load average ${load.toFixed(2)} over the last minute`, [
    [cores < 2, 'warning', 'users and server share one core: expect latencies to be the machine’s; take 2 or more'],
    [load > cores / 2, 'warning', 'other programs are at work; wait until they are done'],
  ]);
}

export function checkMemory(availableMiB: number): Check {
  return judge('Memory', `${formatMiB(availableMiB)} available`, [
    [availableMiB < LEAST_MEMORY_MIB, 'missing', `close programs: 2 users need ${formatMiB(LEAST_MEMORY_MIB)}`],
    [availableMiB < AMPLE_MEMORY_MIB, 'warning', 'enough for a few users only; close programs for more'],
  ]);
}

async function checkPorts(): Promise<Check> {
  const name = 'Ports';
  try {
    await freePort();
    return { name, state: 'good', seen: 'free ones on 127.0.0.1' };
  } catch (error) {
    const seen = `none to be had on 127.0.0.1 (${(error as Error).message})`;
    return { name, state: 'missing', seen, advice: 'allow programs to listen on the loopback interface' };
  }
}

async function checkFiles(): Promise<Check> {
  // A child's limit: Node raises its own to the hard limit, and what it starts inherits that.
  const text = await runCommand(['sh', '-c', 'ulimit -n']);
  const files = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text);
  return judge('Open files', `${text} at most`, [
    [files < AMPLE_FILES, 'warning', `run "ulimit -n ${AMPLE_FILES}" first: many users open many sockets`],
  ]);
}

export async function checkDisk(folder: string): Promise<Check> {
  // The first run makes what is missing of its path.
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const { bavail, bsize } = await statfs(there);
  const freeMiB = (bavail * bsize) / MIB;
  return judge('Disk', `${formatMiB(freeMiB)} free where results go`, [
    [freeMiB < LEAST_DISK_MIB, 'missing', 'free some space, or write results elsewhere with --out'],
    [freeMiB < AMPLE_DISK_MIB, 'warning', 'enough for a short run; free some space before a long one'],
  ]);
}

/** Checks of the needs of single frameworks. */
export function checkNeed({ framework, need, seen, problem }: NeedState): Check {
  return judge(framework, `${need}: ${seen}`, [
    [problem !== null, 'warning', `${problem}; nothing but ${framework} needs it`],
  ]);
}

/** Checks of programs that keep documents, or stand between several servers: only trials that ask for one need it. */
export function checkStoreProgram(name: StoreProgramName, found: Awaited<ReturnType<typeof findStoreProgram>>): Check {
  if ('problem' in found) {
    const advice = `${found.problem}; only trials with ${USES[name]} need it`;
    return { name, state: 'warning', seen: 'not here', advice };
  }
  return { name, state: 'good', seen: `${found.version} (${found.path})` };
}

const USES: Readonly<Record<StoreProgramName, string>> = {
  postgres: '"stores: postgres"',
  redis: 'several servers',
};

export function checkClock({ clockDriftMs, clockStepMs }: Pick<Noise, 'clockDriftMs' | 'clockStepMs'>): Check {
  const seen = `steps of ${formatStep(clockStepMs)}; wall clock within ${Math.abs(clockDriftMs).toFixed(1)} ms of the monotonic one`;
  return judge('Clock', seen, [
    [clockStepMs > CLOCK_STEP_MS, 'warning', 'this clock is too coarse for latencies; take another machine'],
    [
      Math.abs(clockDriftMs) > CLOCK_DRIFT_MS,
      'warning',
      'the clock is being set; wait until time synchronisation is done',
    ],
  ]);
}

export function checkTimers({ timerLateMs: { median, p99, max } }: Pick<Noise, 'timerLateMs'>): Check {
  const [m, n, x] = [median, p99, max].map((ms) => ms.toFixed(1));
  return judge('Timers', `late by ${m} ms (median), ${n} ms (99th percentile), ${x} ms (max)`, [
    [p99 > LATE_TIMER_MS, 'warning', 'the machine is noisy: small latencies are partly its own; close other programs'],
  ]);
}

export function checkOthers({ busyPercent, stealPercent }: Pick<Noise, 'busyPercent' | 'stealPercent'>): Check {
  if (busyPercent === null || stealPercent === null) {
    return { name: 'Others', state: 'good', seen: 'not told by this system' };
  }
  const seen = `all cores ${busyPercent.toFixed(0)} % busy, ${stealPercent.toFixed(1)} % taken by the hypervisor`;
  return judge('Others', seen, [
    [
      stealPercent > MUCH_STEAL_PERCENT,
      'warning',
      'virtual machines beside this one take its cores; run at another time',
    ],
    [busyPercent > MUCH_BUSY_PERCENT, 'warning', 'other programs are at work; wait until they are done'],
  ]);
}

/** Frameworks whose packages are installed when they are named first; that they are not is no fault. */
export function checkOnDemand(frameworks: readonly Pick<Framework, 'name' | 'about' | 'problem'>[]): Check[] {
  return frameworks.flatMap(({ name, about: { onDemand }, problem }) => {
    if (onDemand === undefined) return [];
    const seen = problem === null ? `${formatPackages(onDemand)} are installed` : problem;
    return [{ name, state: 'good' as const, seen }];
  });
}

function formatMiB(mib: number): string {
  return mib < 1_024 ? `${Math.round(mib)} MiB` : `${(mib / 1_024).toFixed(1)} GiB`;
}

function formatStep(stepMs: number): string {
  return stepMs < 0.001 ? `${Math.round(stepMs * 1e6)} ns` : `${(stepMs * 1_000).toFixed(1)} µs`;
}

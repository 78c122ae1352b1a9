/** The processes of a run that was started here, by their roles. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../../harness/probes/process-tree.ts';
import { rootProcessesOf } from '../../infra/compose/docker.ts';
import { type ProcessStat, readProcessStat } from '../../infra/process/stat.ts';

/**
 * Those that faults are done to, each with how its command line is told. `audience` holds the readers who are sockets, `chrome` is the
 * first process of a Chrome, `page` one that renders, `replayer` what proves a recorded crowd, `measurer` what measures a trial of one
 * document, `watcher` the shell that ends the processes of one that was killed.
 */
const ENTRIES = {
  coordinator: /cli\/main\.ts/,
  server: /(harness\/server|documents\/join)\/server-main\.ts/,
  users: /harness\/users\/main\.ts/,
  crowd: /harness\/crowd\/main\.ts/,
  audience: /harness\/audience\/main\.ts/,
  recorder: /harness\/crowd\/record-main\.ts/,
  replayer: /harness\/crowd\/replay-main\.ts/,
  analysis: /harness\/analysis-main\.ts/,
  worker: /infra\/workers\/main\.ts/,
  watcher: /^\/bin\/sh -c \s*while read -r change /,
  measurer: /documents\/(replay|state|rest)\/main\.ts/,
  writers: /documents\/(join\/writers|storm\/users|kept\/user)-main\.ts/,
  newcomers: /documents\/join\/newcomer-main\.ts/,
  page: /--type=renderer/,
  zygote: /--type=zygote/,
  network: /--type=utility.*network\.mojom\.NetworkService/,
  graphics: /--type=gpu-process/,
  chrome: /^(?!.*--type=).*--remote-debugging-pipe/,
} as const;

export type Role = keyof typeof ENTRIES | 'other';

export interface RunProcess {
  pid: number;
  role: Role;
  startedAt: ProcessStat['startedAt'];
}

/** @param commandLine with spaces between its words */
export function roleOf(commandLine: string): Role {
  const found = Object.entries(ENTRIES).find(([, pattern]) => pattern.test(commandLine));
  return (found?.[0] as Role | undefined) ?? 'other';
}

/** Processes and all that they started, as far as they are there. */
export function processesOf(roots: readonly number[]): RunProcess[] {
  return roots.flatMap(processTree).flatMap((pid) => {
    const stat = readProcessStat(pid);
    const commandLine = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
    if (stat === null || stat.ended || commandLine === undefined) return [];
    return [{ pid, role: roleOf(commandLine), startedAt: stat.startedAt }];
  });
}

/** True if the process still runs; a zombie does not. */
export function isRunning({ pid, startedAt }: RunProcess): boolean {
  const stat = readProcessStat(pid);
  return stat !== null && !stat.ended && stat.startedAt === startedAt;
}

/** Resident memory of the process, pages. */
export function residentPages({ pid }: RunProcess): number {
  return Number(read(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0);
}

/** A variable that it was started with. */
export function variableOf({ pid }: RunProcess, name: string): string | undefined {
  const variables = read(`/proc/${pid}/environ`)?.split('\0');
  return variables?.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** True if the process has a handler for a signal, by the signal's number. */
export function handles({ pid }: RunProcess, signal: number): boolean {
  const [, caught = '0'] = /^SigCgt:\t([0-9a-f]+)$/m.exec(read(`/proc/${pid}/status`) ?? '') ?? [];
  return (BigInt(`0x${caught}`) & (1n << BigInt(signal - 1))) !== 0n;
}

/** `st` of /proc/net/tcp. */
const LISTENING = '0A';

/** TCP ports on which processes listen, in ascending order. */
export function listeningPorts(pids: readonly number[]): number[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  const ports = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && sockets.has(inode!))
      .map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16)),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Numbers of a process's sockets in the tables; none of those that just closed. */
function socketsOf(pid: number): string[] {
  const descriptors = ifThere(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return descriptors.flatMap((descriptor) => {
    const target = ifThere(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

function read(path: string): string | undefined {
  return ifThere(() => readFileSync(path, 'utf8'));
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Tells a process that may just have ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

const LOOK_PERIOD_MS = 100;
/** They outlive a trial. */
const OF_THE_RUN: readonly Role[] = ['coordinator', 'analysis', 'worker', 'recorder'];

/** All processes that a run ever had, as far as they were seen, so that none can be left behind unnoticed. */
export class SeenProcesses {
  readonly #seen = new Map<string, RunProcess>();

  /** Looks again and again. @param roots gives the processes that started the others */
  watch(roots: () => readonly number[]): Disposable {
    const timer = setInterval(() => this.look(roots()), LOOK_PERIOD_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** @returns those that are there now */
  look(roots: readonly number[]): RunProcess[] {
    const now = processesOf(roots);
    for (const each of now) this.#seen.set(`${each.pid} ${each.startedAt}`, each);
    return now;
  }

  /** Those of a trial that still run: all but what serves the whole run, and the shell that watches over the command. */
  get ofTrial(): RunProcess[] {
    const { running } = this;
    const commands = running.filter(({ role }) => role === 'coordinator').map(({ pid }) => pid);
    return running.filter(({ pid, role }) => {
      if (role === 'watcher') return !commands.includes(readProcessStat(pid)?.parent ?? 0);
      return !OF_THE_RUN.includes(role);
    });
  }

  get running(): RunProcess[] {
    for (const [key, each] of this.#seen) if (!isRunning(each)) this.#seen.delete(key);
    return [...this.#seen.values()];
  }
}

/** @returns those of them that still run after the limit; they are killed */
export async function untilGone(processes: readonly RunProcess[], limitMs: number): Promise<RunProcess[]> {
  const endMs = performance.now() + limitMs;
  let left = processes.filter(isRunning);
  while (left.length > 0 && performance.now() < endMs) {
    await sleep(LOOK_PERIOD_MS);
    left = left.filter(isRunning);
  }
  for (const { pid } of left) sendSignal(pid, 'SIGKILL');
  return left;
}

/** Containers come and go within seconds. */
const CONTAINER_PERIOD_MS = 300;

export interface WatchedContainers extends Disposable {
  /** The first process of each, by the number that it has on this machine. */
  pids(): readonly number[];
}

/** Of a subject without any. */
export const NO_CONTAINERS: WatchedContainers = { pids: () => [], [Symbol.dispose]() {} };

/**
 * Watches the containers of a run on Docker Compose: this machine sees the processes in them.
 *
 * @param owner the process of the command whose run it is, by its `lastingProcessName`
 */
export function watchContainers(owner: string): WatchedContainers {
  let pids: readonly number[] = [];
  let isOver = false;
  const look = async () => {
    // Between two answers of the engine's a container may have gone.
    pids = await rootProcessesOf(owner).catch(() => pids);
    if (!isOver) timer = setTimeout(look, CONTAINER_PERIOD_MS);
  };
  let timer = setTimeout(look, CONTAINER_PERIOD_MS);
  return {
    pids: () => pids,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

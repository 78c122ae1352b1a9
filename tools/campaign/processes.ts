/** The processes of a run that was started here, by their roles. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { processTree } from '../../harness/probes/process-tree.ts';
import { type ProcessStat, readProcessStat } from '../../infra/process/stat.ts';

/**
 * Those that faults are done to, each with how its command line is told. `chrome` is the first process of a Chrome, `page` one
 * that renders, `replayer` what proves a recorded crowd, `measurer` what measures a trial of one document.
 */
const ENTRIES = {
  coordinator: /cli\/main\.ts/,
  server: /(harness\/server|documents\/join)\/server-main\.ts/,
  users: /harness\/users\/main\.ts/,
  crowd: /harness\/crowd\/main\.ts/,
  recorder: /harness\/crowd\/record-main\.ts/,
  replayer: /harness\/crowd\/replay-main\.ts/,
  analysis: /harness\/analysis-main\.ts/,
  worker: /infra\/workers\/main\.ts/,
  measurer: /documents\/(replay|state|rest)\/main\.ts/,
  writers: /documents\/join\/writers-main\.ts/,
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

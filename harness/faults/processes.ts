/** The processes of a run that was started here, by what they do. Linux only. */
import { readFileSync } from 'node:fs';
import { type ProcessStat, readProcessStat } from '../../infra/process/stat.ts';
import { processTree } from '../probes/process-tree.ts';

/** `chrome` is the first process of a Chrome, `page` one that renders. */
export const ROLES = ['coordinator', 'server', 'users', 'analysis', 'chrome', 'page', 'other'] as const;
export type Role = (typeof ROLES)[number];

export interface RunProcess {
  pid: number;
  role: Role;
  startedAt: ProcessStat['startedAt'];
}

const ENTRIES: readonly [RegExp, Role][] = [
  [/harness\/cli\.ts/, 'coordinator'],
  [/harness\/server\/main\.ts/, 'server'],
  [/harness\/users\/main\.ts/, 'users'],
  [/analysis\/in-own-process-main\.ts/, 'analysis'],
  [/--type=renderer/, 'page'],
  [/^(?!.*--type=).*--remote-debugging-pipe/, 'chrome'],
];

/** @param commandLine with spaces between its words */
export function roleOf(commandLine: string): Role {
  return ENTRIES.find(([pattern]) => pattern.test(commandLine))?.[1] ?? 'other';
}

/** A process and all that it started, as far as they are there. */
export function processesOf(root: number): RunProcess[] {
  return processTree(root).flatMap((pid) => {
    const stat = readProcessStat(pid);
    const commandLine = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
    if (stat === null || stat.ended || commandLine === undefined) return [];
    return [{ pid, role: roleOf(commandLine), startedAt: stat.startedAt }];
  });
}

/** Whether it runs on: one that ended and that nobody asked after does not. */
export function isRunning({ pid, startedAt }: RunProcess): boolean {
  const stat = readProcessStat(pid);
  return stat !== null && !stat.ended && stat.startedAt === startedAt;
}

/** What it holds in memory, pages. */
export function residentPages({ pid }: RunProcess): number {
  return Number(read(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The processes of a run that was started here, by what they do. Linux only. */
import { readFileSync } from 'node:fs';
import { isAlive } from '../../infra/process/is-alive.ts';
import { processTree } from '../probes/process-tree.ts';

/** `chrome` is the first process of a Chrome, `page` one that renders. */
export const ROLES = ['coordinator', 'server', 'users', 'analysis', 'chrome', 'page', 'other'] as const;
export type Role = (typeof ROLES)[number];

export interface RunProcess {
  pid: number;
  role: Role;
  /** With its number, tells it from another that gets the number later. */
  startedAt: string;
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
    const startedAt = startOf(pid);
    const commandLine = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
    return startedAt === null || commandLine === undefined ? [] : [{ pid, role: roleOf(commandLine), startedAt }];
  });
}

/** Whether it runs on: one that ended and that nobody asked after does not. */
export function isRunning({ pid, startedAt }: RunProcess): boolean {
  return isAlive(pid) && startOf(pid) === startedAt;
}

/** Null where it has ended. */
function startOf(pid: number): string | null {
  // The name before it may hold spaces and brackets.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
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

/**
 * Names of processes that no other process ever has: what stands in the names of locks, and of what a process may leave. A number
 * alone comes again: in another container, on another host, after a restart, and once the system has used up all others.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { shortDigestOf } from '../formats/digest.ts';

/** Matches a name, of either kind, within the name of a file; its groups are for `standingOf`. */
export const PROCESS_NAME =
  '(?<pid>\\d+)-(?<start>[0-9a-z]+)-(?<place>[0-9a-f]{6})(?:-(?<machine>[0-9a-f]{16})-(?<boot>[0-9a-f]{16}))?';

/** The machine, whatever container this is. Two of one name are told apart by what systemd or D-Bus gave them. */
const MACHINE = shortDigestOf(`${hostname()} ${told(() => readFileSync('/etc/machine-id', 'utf8'))}`);
/** Changes with each start of the machine, where the system tells. */
const BOOT = shortDigestOf(told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')));
/** Where a number names one process at a time: a namespace of a machine that runs. Short, as it is part of a socket's path. */
const PLACE = shortDigestOf(`${MACHINE} ${BOOT} ${told(() => readlinkSync('/proc/self/ns/pid'))}`).slice(0, 6);

/** Names a process that can be seen from here, such as `4591-1k2j3-5e6f7a`. */
export function processName(pid: number = process.pid): string {
  return `${pid}-${(statOf(pid)?.startedAt ?? 0).toString(36)}-${PLACE}`;
}

/** The same, for what outlives a start of the machine: by this name its process is then known to be gone. */
export function lastingProcessName(pid: number = process.pid): string {
  return `${processName(pid)}-${MACHINE}-${BOOT}`;
}

/** The groups of `PROCESS_NAME`, as they matched. */
export type NamedProcess = Readonly<Record<string, string | undefined>>;

/** True if it ran on this machine, since this start of it. */
export function isOfThisBoot({ machine, boot }: NamedProcess): boolean {
  return machine === MACHINE && boot === BOOT;
}

/** `unknown` if the process cannot be seen from here: then nobody may take it for gone. */
export type Standing = 'alive' | 'gone' | 'unknown';

export function standingOf({ pid, start, place, machine, boot }: NamedProcess): Standing {
  if (place !== PLACE) return machine === MACHINE && boot !== BOOT ? 'gone' : 'unknown';
  if (!isAlive(Number(pid))) return 'gone';
  const stat = statOf(Number(pid));
  // It may have ended just now, and without /proc the number is all that there is.
  if (stat === null) return 'alive';
  return stat.startedAt.toString(36) === start && !stat.hasEnded ? 'alive' : 'gone';
}

/** True if a process of this number can be seen from here, also if another user owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** State, and the instant of the start in ticks since the machine's; the command's name before them may hold anything. */
const STAT = /.*\) (?<state>\S)(?: \S+){18} (?<startedAt>\d+)/s;

/** Null if it is gone, or /proc tells of no processes, or of those of another namespace. */
function statOf(pid: number): { startedAt: number; hasEnded: boolean } | null {
  const isOwn = told(() => readlinkSync('/proc/self')) === String(process.pid);
  const found = STAT.exec(isOwn ? told(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) : '')?.groups;
  return found === undefined ? null : { startedAt: Number(found.startedAt), hasEnded: /[ZX]/.test(found.state!) };
}

/** Empty if the system has no such file. */
function told(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

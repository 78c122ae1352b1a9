/** A process as Linux describes it in /proc. */
import { readdirSync } from 'node:fs';
import { readKernelFile } from '../kernel-file.ts';

/** Kernel clock ticks per second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  /** User and system time since it began, in steps of 10 ms. */
  cpuMs: number;
  /** In ticks since the machine started: with its number, tells it from another that gets the number later. */
  startedAt: number;
  /** It has given back all that it held, and is there only until its parent asks how it ended. */
  ended: boolean;
}

/** All that there are. */
export function allProcessStats(): ProcessStat[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcessStat(Number(name)) ?? []) : []));
}

/** Null if it is gone, or there is no /proc. */
export function readProcessStat(pid: number): ProcessStat | null {
  const line = readKernelFile(`/proc/${pid}/stat`);
  if (line === null) return null;
  // The command's name, in brackets, may hold anything; what follows it is numbered from field 3.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const [user, system, startedAt] = [fields[11], fields[12], fields[19]];
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    cpuMs: ((Number(user) + Number(system)) * 1000) / TICKS_PER_SECOND,
    startedAt: Number(startedAt),
    ended: state === 'Z' || state === 'X',
  };
}

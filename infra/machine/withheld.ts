/** CPU time that this process's machine wanted and did not get: what a hypervisor or a control group took. Linux only. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cpuTimes } from './cpu-times.ts';

export interface WithheldTime {
  /** Time that the hypervisor gave to other machines since the start, all cores together; null: not known. */
  stealMs: number | null;
  cores: number;
  /** How long this process's control group, or one around it, had used up its share; null: no group has a limit. */
  throttledMs: number | null;
}

/** Folders of the control groups that tell of CPU, those of version 2 last. */
const MOUNTS = ['/cpu', '/cpu,cpuacct', ''];

/** @param root where `proc` and `sys` are, for tests */
export function withheldTime(root = ''): WithheldTime {
  const { cores = 1, stealMs = null } = cpuTimes(root) ?? {};
  return { cores, stealMs, throttledMs: throttledMs(root) };
}

/** Any group around the process may be the one that is held up, and each tells of itself alone. */
function throttledMs(root: string): number | null {
  // "4:cpu,cpuacct:/path" in version 1; "0::/path" in version 2, where one group has all controllers.
  const [, path] = read(`${root}/proc/self/cgroup`)?.match(/^\d+:(?:.*,)?(?:cpu)(?:,.*)?:(.*)$/m) ??
    read(`${root}/proc/self/cgroup`)?.match(/^0::(.*)$/m) ?? [null, null];
  if (path == null) return null;
  for (const mount of MOUNTS) {
    const told = withParents(path).flatMap((folder) => {
      const stat = read(`${root}/sys/fs/cgroup${mount}${folder}/cpu.stat`);
      // Microseconds in version 2, nanoseconds in version 1.
      const [, unit, time] = stat?.match(/^throttled_(usec|time) (\d+)$/m) ?? [];
      return time === undefined ? [] : [Number(time) / (unit === 'usec' ? 1e3 : 1e6)];
    });
    if (told.length > 0) return told.reduce((sum, ms) => sum + ms);
  }
  return null;
}

/** A container may not see the folders that its host names, but the outermost. */
function withParents(path: string): string[] {
  return path === '/' ? [''] : [path, ...withParents(dirname(path))];
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

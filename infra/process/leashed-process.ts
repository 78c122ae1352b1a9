/** A program of another project on a leash: however this process ends, it ends too, with all that it started. */
import { spawn } from 'node:child_process';
import { endOf, type ProcessEnd } from './process.ts';
import { killGroup, untilGroupEnds } from './process-group.ts';

/**
 * A shell that the program takes the place of. Before, it leaves a watcher behind in the program's group, whose standard
 * input nobody writes to: it closes when who started all this is gone, and then the group is killed. So it needs no help of
 * the program, nor of the system.
 */
const LEASH = `
exec 3<&0 </dev/null
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

/** A group that is killed is gone at once, but for the system's own time. */
const GRACE_MS = 5000;

export interface LeashedProcess {
  /** Of the program itself; what it starts are its descendants. 0 where it could not be started. */
  pid: number;
  ended: Promise<ProcessEnd>;
  /** Kills it and all that it started; resolves once they are gone. Safe to call twice. */
  end(): Promise<void>;
}

/**
 * @param options.command     the program and its arguments; it has to stay in the foreground
 * @param options.environment all that it gets
 */
export function startLeashedProcess(options: {
  command: readonly string[];
  environment: NodeJS.ProcessEnv;
}): LeashedProcess {
  const child = spawn('sh', ['-c', LEASH, 'sh', ...options.command], {
    env: options.environment,
    stdio: ['pipe', 'ignore', 'pipe'],
    // A group of its own, whose number is its own: what it starts is in it.
    detached: true,
  });
  const pid = child.pid ?? 0;
  const kill = () => {
    if (pid !== 0) killGroup(pid);
  };
  // What it leaves would keep the end of its last words from being seen.
  child.once('exit', kill);
  const ended = endOf(child);
  return {
    pid,
    ended,
    async end() {
      kill();
      await ended;
      if (pid !== 0) await untilGroupEnds(pid, GRACE_MS);
    },
  };
}

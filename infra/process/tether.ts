/** Has a group of processes end when this process does, however that ends, and however busy they are. */
import { spawn } from 'node:child_process';

/**
 * A shell waits for the end of its input, which comes when this process is gone or lets go, and then kills the group. What is
 * measured knows nothing of it.
 *
 * @param group the process id of its first process
 * @returns     gives the group free; to be called once its first process has ended
 */
export function tether(group: number): () => void {
  const shell = spawn('sh', ['-c', `read -r line; kill -KILL -${group}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
    detached: true,
  });
  // Without a shell, or after its end, there is nothing that could be done.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return () => {
    // Before its input ends: it must not kill whoever has got the number since.
    shell.kill('SIGKILL');
    shell.stdin.destroy();
  };
}

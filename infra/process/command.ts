/** Runs other programs, such as docker. */
import { spawn } from 'node:child_process';

/** How much of what a command says is enough to see why it failed. */
const LAST_WORDS_CHARACTERS = 2000;

/**
 * Runs a command to its end.
 *
 * @returns what it printed on stdout, without white space around it
 * @param options.input what it reads on stdin
 * @throws Error with its last words where it fails, the system's error (ENOENT) where it is not there, and the signal's
 *         reason where that aborts
 */
export async function runCommand(
  [program, ...args]: readonly string[],
  options: { environment?: NodeJS.ProcessEnv; folder?: string; input?: string; signal?: AbortSignal } = {},
): Promise<string> {
  const { environment, folder, input, signal } = options;
  signal?.throwIfAborted();
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: 'pipe',
    // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
    detached: true,
  });
  const kill = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', kill);
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  child.stdin.on('error', () => {
    // A program that ended early tells why by its exit code.
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', kill));
  signal?.throwIfAborted();
  if (code === 0) return printed.trim();
  throw new Error(said.trim() || `it ended with exit code ${code}`);
}

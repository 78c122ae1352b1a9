/** Runs cargo and rustc. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How much of what a tool says is enough to see why it failed. */
const LAST_WORDS_CHARACTERS = 2000;

/**
 * Runs a tool to its end, and all that it starts.
 *
 * @param options.line gets each line that it prints on stdout
 * @throws Error with its last words where it fails, the system's error (ENOENT) where it is not there, and the signal's
 *         reason where that aborts
 */
export async function runTool(
  [program, ...args]: readonly string[],
  options: { folder: string; environment?: NodeJS.ProcessEnv; signal: AbortSignal; line?: (line: string) => void },
): Promise<void> {
  const { folder, environment, signal, line } = options;
  signal.throwIfAborted();
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the harness only, which then ends the tool with its compilers.
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  const reader = createInterface({ input: child.stdout });
  const read = once(reader, 'close');
  if (line !== undefined) reader.on('line', line);
  const kill = () => killGroup(child.pid);
  signal.addEventListener('abort', kill);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => signal.removeEventListener('abort', kill));
  await read;
  signal.throwIfAborted();
  if (code !== 0) throw new Error(said.trim() || `it ended with exit code ${code}`);
}

function killGroup(group: number | undefined): void {
  if (group === undefined) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** The command line as a person starts it, to do harm to. */
import { spawn } from 'node:child_process';
import { PROJECT_ROOT } from '../project.ts';

export interface CommandEnd {
  /** One of them is null. */
  code: number | null;
  signal: string | null;
}

export interface Command {
  pid: number;
  /** What it printed on stderr so far. */
  said(): string;
  hasEnded(): boolean;
  ended: Promise<CommandEnd>;
}

/**
 * @param options.environment beside this process's own
 * @param options.signal      has it stop in order
 */
export function startCommand(
  args: readonly string[],
  { environment, signal: stopped }: { environment: NodeJS.ProcessEnv; signal: AbortSignal },
): Command {
  const child = spawn(process.execPath, [...process.execArgv, 'harness/cli.ts', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let hasEnded = false;
  const ended = new Promise<CommandEnd>((resolve) => {
    // Not `close`: what was left behind may hold its output open.
    child.once('exit', (code, signal) => {
      hasEnded = true;
      resolve({ code, signal });
    });
  });
  stopped.addEventListener('abort', () => child.kill('SIGINT'));
  return { pid: child.pid!, said: () => said, hasEnded: () => hasEnded, ended };
}

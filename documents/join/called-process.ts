/**
 * A process that does what another, which started it, calls for: typed calls over Node's own channel between the two. When that
 * channel ends, for whatever reason, so does the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { countMemoryKills, memoryKillSince } from '../../infra/machine/memory-kills.ts';
import { badEnd } from '../../infra/process/process.ts';
import { untilGroupEnds } from '../../infra/process/process-group.ts';
import { SubjectFailure } from '../scenario.ts';

/** How long a process may take to end by itself before it is killed; Chrome has 3 s for that. */
const GRACE_MS = 6000;
/** How much of a process's last words is kept for a message. */
const LAST_WORDS_CHARACTERS = 2000;
/** How long after its end they may still come. */
const LAST_WORDS_MS = 200;

/** What can be called: functions of what JSON can carry. */
export type Callable<Calls> = { [Name in keyof Calls]: (...args: never[]) => Promise<unknown> };
type Result<Calls, Name extends keyof Calls> = Calls[Name] extends (...args: never[]) => Promise<infer Value>
  ? Value
  : never;
type Arguments<Calls, Name extends keyof Calls> = Calls[Name] extends (...args: infer Args) => unknown ? Args : never;

interface Call {
  id: number;
  name: string;
  args: unknown[];
}
interface Answer {
  id: number;
  value?: unknown;
  /** With a code: a SubjectFailure. */
  error?: { message: string; code?: string };
}

export interface CalledProcess<Calls> {
  pid: number;
  /** @throws what the call threw there, an Error where the process ended, and the signal's reason where that aborts */
  call<Name extends keyof Calls & string>(name: Name, ...args: Arguments<Calls, Name>): Promise<Result<Calls, Name>>;
  /** Has it end, by force where it does not by itself; resolves once it is gone, with all that it started. */
  end(): Promise<void>;
}

/**
 * @param options.entry       the file that it runs, which calls `answerCalls`
 * @param options.environment beside this process's own
 * @param options.signal      calls that are under way when it aborts are given up
 * @param options.onLost      is told of an end that nobody asked for, as what follows its name in a sentence
 */
export function startCalledProcess<Calls extends Callable<Calls>>(options: {
  entry: string;
  environment?: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onLost: (how: string) => void;
}): CalledProcess<Calls> {
  const { entry, environment, signal, onLost } = options;
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
    detached: true,
  });
  const memoryKills = countMemoryKills();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let lastWords = '';
  let isEnding = false;
  const giveUp = (reason: unknown) => {
    for (const call of waiting.values()) call.reject(reason);
    waiting.clear();
  };
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort);
  const said = once(child.stderr!, 'close');
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
  });
  child.on('message', ({ id, value, error }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else
      call?.reject(error.code === undefined ? new Error(error.message) : new SubjectFailure(error.code, error.message));
  });
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      signal.removeEventListener('abort', onAbort);
      if (!isEnding) onLost(how);
      giveUp(new Error(`the process ${how}`));
      resolve();
    };
    child.once('error', ({ message }) => end(`could not be started: ${message}`));
    // Not `close`: it does not come after this end of the channel was closed.
    child.once('exit', async (code, by) => {
      await Promise.race([said, setTimeout(LAST_WORDS_MS)]);
      const memory = by === 'SIGKILL' ? memoryKillSince(memoryKills) : '';
      end(badEnd({ code, signal: by, lastWords: lastWords.trim(), memory }) ?? 'ended too early');
    });
  });

  return {
    pid: child.pid ?? 0,
    call(name, ...args) {
      signal.throwIfAborted();
      const answer = Promise.withResolvers<unknown>();
      const call: Call = { id: calls++, name, args };
      waiting.set(call.id, answer);
      child.send(call, (error) => {
        if (error !== null) answer.reject(error);
      });
      return answer.promise as Promise<never>;
    },
    async end() {
      isEnding = true;
      if (child.connected) child.disconnect();
      await Promise.race([ended, setTimeout(GRACE_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
      if (child.pid !== undefined) await untilGroupEnds(child.pid, GRACE_MS);
    },
  };
}

/**
 * For the process itself: does what it is called for, until nobody calls any more.
 *
 * @param end ends what it has started
 */
export function answerCalls<Calls extends Callable<Calls>>(
  calls: Calls,
  end: () => Promise<void> = async () => {},
): void {
  process.on('message', async ({ id, name, args }: Call) => {
    const answer = await carryOut(calls, name, args).catch((error: unknown) => ({ error: described(error) }));
    if (process.connected) process.send!({ id, ...answer } satisfies Answer);
  });
  process.once('disconnect', () => void end().finally(() => process.exit()));
}

async function carryOut<Calls extends Callable<Calls>>(
  calls: Calls,
  name: string,
  args: unknown[],
): Promise<{ value: unknown }> {
  return { value: await calls[name as keyof Calls](...(args as never[])) };
}

function described(error: unknown): NonNullable<Answer['error']> {
  if (error instanceof SubjectFailure) return { message: error.message, code: error.code };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

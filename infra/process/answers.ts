/** A process's own side of `calls.ts`: it answers the calls of its parent, and tells it news. */
import type { UserError } from '../../results/user-error.ts';

/** Functions that can be called: a structured clone carries their arguments and results. */
export type Callable<Calls> = { [Name in keyof Calls]: (...args: never[]) => Promise<unknown> };

/** An error on its way between processes: of its class only the name is left, with its own properties. */
export interface ThrownError {
  /** Of its class. */
  kind: string;
  message: string;
  stack?: string;
  code?: string;
  exitCode?: UserError['exitCode'];
  [property: string]: unknown;
}

/** Messages between the two: `Call` to the process, the others to its parent. */
export interface Call {
  id: number;
  name: string;
  args: unknown[];
}
export interface Answer {
  id: number;
  value?: unknown;
  error?: ThrownError;
}
export interface NewsItem {
  news: string;
  value: unknown;
}

/**
 * Does what the process is called for, until nobody calls any more.
 *
 * @param end ends what it has started
 */
export function answerCalls<Calls extends Callable<Calls>>(
  calls: Calls,
  end: () => Promise<void> = async () => {},
): void {
  process.on('message', async ({ id, name, args }: Call) => {
    const answer = await carryOut(calls, name, args).catch((error: unknown) => ({ error: thrownError(error) }));
    if (process.connected) process.send!({ id, ...answer } satisfies Answer);
  });
  process.once('disconnect', () => void end().finally(() => process.exit()));
}

/** The way to tell the caller of what happens. News of nobody who listens is dropped. */
export function newsTo<News>(): <Name extends keyof News & string>(name: Name, value: News[Name]) => void {
  return (name, value) => {
    if (process.connected) process.send!({ news: name, value } satisfies NewsItem);
  };
}

async function carryOut<Calls extends Callable<Calls>>(
  calls: Calls,
  name: string,
  args: unknown[],
): Promise<{ value: unknown }> {
  return { value: await calls[name as keyof Calls](...(args as never[])) };
}

function thrownError(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { kind: 'Error', message: String(error) };
  const properties = Object.entries(error).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  return {
    ...Object.fromEntries(properties),
    kind: error.constructor.name,
    message: error.message,
    stack: error.stack,
  };
}

/** Redis: over a folder of its own, reached by a password of the trial, or one that somebody else runs. */
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';
import { createToken } from '../channel/token.ts';
import { targetAt } from '../network/line-target.ts';
import { type Kind, LOOPBACK } from './kind.ts';

export const USUAL_REDIS_PORT = 6379;
const ANSWER_LIMIT_MS = 5000;

/** @param isBroker true: it only hands messages on, and writes nothing; else it is a store, whose log is synced each second */
export function redis({ program, folder, isBroker }: { program: string; folder: string; isBroker: boolean }): Kind {
  const password = createToken();
  const configuration = (port: number) =>
    [
      `bind ${LOOPBACK}`,
      `port ${port}`,
      `requirepass ${password}`,
      `dir ${JSON.stringify(folder)}`,
      'save ""',
      `appendonly ${isBroker ? 'no' : 'yes'}`,
      'appendfsync everysec',
      'loglevel warning',
      '',
    ].join('\n');
  const url = (port: number) => `redis://:${password}@${LOOPBACK}:${port}`;
  return {
    // On its input, as every account can see a process's arguments.
    command: (port) => ({ command: [program, '-'], input: configuration(port) }),
    // Not while it still loads what its folder holds.
    isReady: (port) => ask(url(port), 'PING').then(Boolean, () => false),
    url,
    endSignal: 'SIGTERM',
  };
}

/**
 * Proves that a Redis which somebody else runs can stand between a trial's servers.
 *
 * @param isReused true: others may use it
 * @throws UserError (3) if none answers there, or it refuses; (2) if others use it
 */
export async function proveRedis(address: string, { isReused }: { isReused: boolean }): Promise<void> {
  const { host } = new URL(address);
  const isUnused = await hasNoListener(address).catch((cause: Error) => {
    throw new Unavailable(
      `the Redis at ${host} refuses, or does not answer: ${messageOf(cause)}; see that it runs, and that the address has its password`,
      { cause },
    );
  });
  if (isReused || isUnused) return;
  throw new UserError(
    `others tell each other by the Redis at ${host}, where a trial’s servers would meet them; name another, or use it all the same (store.reuse)`,
  );
}

/** Those who listen by a pattern stand in no list of channels, and hear a trial's servers, too. */
async function hasNoListener(address: string): Promise<boolean> {
  return (await ask(address, 'PUBSUB CHANNELS')) === '*0' && (await ask(address, 'PUBSUB NUMPAT')) === ':0';
}

/** @returns the first line of its answer to a command. @throws Error if it does not answer, or refuses */
async function ask(address: string, command: string): Promise<string> {
  const url = new URL(address);
  // Quoted in its way, which is JSON's.
  const login = [url.username, url.password].filter(Boolean).map((word) => JSON.stringify(decodeURIComponent(word)));
  const commands = [...(login.length === 0 ? [] : [['AUTH', ...login].join(' ')]), command, 'QUIT'];
  const socket = targetAt(url, USUAL_REDIS_PORT).connect({ allowHalfOpen: false });
  socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('it says nothing')));
  socket.setEncoding('utf8').write(`${commands.join('\r\n')}\r\n`);
  let said = '';
  for await (const text of socket) said += text;
  const lines = said.split('\r\n');
  const refusal = lines.find((line) => line.startsWith('-'));
  if (refusal !== undefined) throw new Error(refusal.slice(1));
  const answer = lines[commands.length - 2];
  if (!/^[+*:]/.test(answer ?? '')) throw new Error('it does not speak as a Redis does');
  return answer!;
}

/** Redis over a folder of its own, reached by a password of the trial. */
import { connect } from 'node:net';
import { createToken } from '../channel/token.ts';
import { type Kind, LOOPBACK } from './kind.ts';

const ANSWER_LIMIT_MS = 1000;

/** @param options.isBroker true: it only hands messages on, and writes nothing; else it is a store, whose log is synced each second */
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
  return {
    // On its input, as every account can see a process's arguments.
    command: (port) => ({ command: [program, '-'], input: configuration(port) }),
    isReady: (port) => answers(port, password),
    url: (port) => `redis://:${password}@${LOOPBACK}:${port}`,
    endSignal: 'SIGTERM',
  };
}

/** False also while it still loads what its folder holds. */
function answers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, LOOPBACK, () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.split('\r\n').length > 2) socket.destroy();
    });
    // It is followed by a close.
    socket.on('error', () => {});
    socket.on('close', () => resolve(said.includes('+PONG')));
  });
}

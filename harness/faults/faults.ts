/** The faults of the campaign: what is done to a run, and what may come of it. */
import { open, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { listeningPorts } from './listening-ports.ts';
import { type Role, type RunProcess, residentPages } from './processes.ts';

export interface Fault {
  name: string;
  /** Whose process it needs; it is not tried where there is none at the moment. */
  role: Role;
  /** Modes that have such a process; all unless given. */
  modes?: readonly string[];
  /** Whether the run writes to a small disk of its own, which takes root. */
  needsDisk?: boolean;
  /** How the command ends: in order, with 0 or 1, whatever its trials are; interrupted, with 130; unable to go on, with 3; or killed. */
  ends: 'in order' | 'interrupted' | 'unable' | 'killed';
  /** Whether the trial that was under way lost a part of itself, and may not be valid. */
  spoils: boolean;
  /** Resolves when it is done. */
  inflict(victim: RunProcess, scene: Scene): Promise<void>;
  /** Undoes it, before the run is resumed. */
  recover?(scene: Scene): Promise<void>;
}

export interface Scene {
  all: readonly RunProcess[];
  random: prng.PRNG;
  /** Where the run writes. */
  disk: string;
}

/** Longer than any stall that a person would take for one, shorter than what ends a trial. */
const STOPPED_MS = 1500;
/** Longer than what counts as one signal. */
const IMPATIENCE_MS = 700;
const HELD_MS = 3000;
const FILLER = 'filler';
const BROWSER_MODES = ['noquill', 'optquill'];

const kill = (role: Role, modes?: readonly string[]): Fault => ({
  name: `SIGKILL ${role}`,
  role,
  modes,
  ends: role === 'coordinator' ? 'killed' : role === 'analysis' ? 'unable' : 'in order',
  spoils: role !== 'analysis',
  inflict: async ({ pid }) => signal(pid, 'SIGKILL'),
});

const stop = (role: Role, modes?: readonly string[]): Fault => ({
  name: `SIGSTOP ${role}`,
  role,
  modes,
  ends: 'in order',
  // It was late, which is what the figures then say.
  spoils: false,
  async inflict({ pid }) {
    signal(pid, 'SIGSTOP');
    await setTimeout(STOPPED_MS);
    signal(pid, 'SIGCONT');
  },
});

const interrupt = (name: NodeJS.Signals): Fault => ({
  name,
  role: 'coordinator',
  ends: 'interrupted',
  spoils: false,
  inflict: async ({ pid }) => signal(pid, name),
});

export const FAULTS: readonly Fault[] = [
  ...(['coordinator', 'server', 'users', 'analysis'] as const).map((role) => kill(role)),
  ...(['chrome', 'page'] as const).map((role) => kill(role, BROWSER_MODES)),
  ...(['coordinator', 'server', 'users'] as const).map((role) => stop(role)),
  ...(['chrome', 'page'] as const).map((role) => stop(role, BROWSER_MODES)),
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(interrupt),
  {
    name: 'SIGINT twice',
    role: 'coordinator',
    ends: 'interrupted',
    spoils: false,
    async inflict({ pid }) {
      signal(pid, 'SIGINT');
      await setTimeout(IMPATIENCE_MS);
      signal(pid, 'SIGINT');
    },
  },
  {
    name: 'full disk',
    role: 'coordinator',
    needsDisk: true,
    ends: 'unable',
    spoils: false,
    async inflict(_victim, { disk }) {
      const file = await open(join(disk, FILLER), 'w');
      // Until nothing more goes in.
      for (let size = 2 ** 20; size >= 1; size /= 2) {
        const isIn = () =>
          file.write(Buffer.alloc(size)).then(
            ({ bytesWritten }) => bytesWritten === size,
            () => false,
          );
        while (await isIn());
      }
      await file.close();
    },
    recover: ({ disk }) => rm(join(disk, FILLER), { force: true }),
  },
  {
    name: 'strangers at every port',
    role: 'coordinator',
    ends: 'in order',
    spoils: false,
    async inflict(_victim, { all, random }) {
      await Promise.all(listeningPorts(all.map(({ pid }) => pid)).map((port) => intrude(port, random)));
    },
  },
];

/** Of several that do the same, such as pages, the largest: an empty one is nobody's. */
export function victimOf({ role }: Fault, all: readonly RunProcess[]): RunProcess | undefined {
  return all.filter((each) => each.role === role).sort((a, b) => residentPages(b) - residentPages(a))[0];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Says what no friend says, and then nothing more for a while. */
async function intrude(port: number, random: prng.PRNG): Promise<void> {
  const said = [
    'GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    `GET /${'x'.repeat(32)}/control HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    `GET / HTTP/1.1\r\nCookie: ${'y'.repeat(200_000)}\r\n\r\n`,
    Buffer.from(Array.from({ length: 500 }, () => prng.int31(random, 0, 255))),
    '',
  ];
  const sockets = said.map((text) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(text));
    return socket.on('error', () => {});
  });
  await setTimeout(HELD_MS);
  for (const socket of sockets) socket.destroy();
}

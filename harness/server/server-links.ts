/**
 * The ways between a trial's servers: to a broker, which tells each of what the others did, and from one to another. Each leads
 * over a line of its own, so that a server can be cut off from the others and still serves its users.
 */
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { type LineTarget, targetAt, tcpTarget } from '../../infra/network/line-target.ts';
import { NO_LINK } from '../../infra/network/link.ts';
import { startStoreProgram } from '../../infra/stores/program.ts';
import { proveRedis, USUAL_REDIS_PORT } from '../../infra/stores/redis.ts';
import type { Together } from '../../servers/server.ts';
import { TreeCpu } from '../probes/process-tree.ts';

const LOOPBACK = '127.0.0.1';
/** Addresses of servers that listen on all that their machine has. */
const EVERYWHERE = ['0.0.0.0', '::'];

export interface ServerLinksOptions {
  count: number;
  needsBroker: boolean;
  /** Of a Redis that somebody else runs; null: the trial's own, over the folder. */
  brokerUrl: string | null;
  isReused: boolean;
  folder: string;
  signal: AbortSignal;
}

export type ServerLinks = Awaited<ReturnType<typeof openServerLinks>>;

/** @throws UserError (2, 3) as `startStoreProgram` and `proveRedis` do, if there is to be a broker */
export async function openServerLinks(options: ServerLinksOptions) {
  const { count, needsBroker, brokerUrl, isReused, folder, signal } = options;
  const isElsewhere = needsBroker && brokerUrl !== null;
  if (isElsewhere) await proveRedis(brokerUrl, { isReused });
  const broker =
    needsBroker && !isElsewhere ? await startStoreProgram('redis', { folder, signal, isBroker: true }) : null;
  const brokerCpu = new TreeCpu([], () => broker?.pids() ?? []);
  /** `to`: a server's number; null: the broker. */
  const lines: { from: number; to: number | null; line: DelayLine }[] = [];
  const lead = async (from: number, to: number | null, target: LineTarget) => {
    const line = await startDelayLine({ target, link: NO_LINK, seed: 0 });
    lines.push({ from, to, line });
    return line;
  };
  const wayToBroker = async (from: number, url: URL) => {
    const line = await lead(from, null, targetAt(url, USUAL_REDIS_PORT));
    url.hostname = LOOPBACK;
    url.port = String(line.port);
    return url.href;
  };
  return {
    /** The trial's own; null: there is none, or somebody else runs it. */
    broker,
    /** The ways of a server to the others. @param before where those with lower numbers listen */
    async waysOf(index: number, before: { host: string; ports: readonly number[]; token: string }): Promise<Together> {
      const { host, token } = before;
      const peers: string[] = [];
      for (const [to, port] of before.ports.entries()) {
        const line = await lead(index, to, tcpTarget({ host: EVERYWHERE.includes(host) ? LOOPBACK : host, port }));
        peers.push(`ws://${LOOPBACK}:${line.port}/${token}`);
      }
      const ways: Together = { index, count, peers };
      if (needsBroker) ways.redis = await wayToBroker(index, new URL(brokerUrl ?? broker!.url));
      return ways;
    },
    /** Breaks the connections between this server and the others, and takes none, until what it returns is called. What was published is lost. */
    cutOff(server: number): () => void {
      const cut = lines.filter(({ from, to }) => from === server || to === server);
      const ends = cut.map(({ line }) => line.begin({ kind: 'offline' }));
      return () => {
        for (const end of ends) end();
      };
    },
    /** Bytes that servers were sent by each other, and sent back, on connections that they took as they take a user's. */
    betweenServers() {
      const peers = lines.filter(({ to }) => to !== null).map(({ line }) => line.carried);
      const sum = (direction: 'there' | 'back') => peers.reduce((bytes, carried) => bytes + carried[direction], 0);
      return { sentBytes: sum('back'), receivedBytes: sum('there') };
    },
    /** Since it began; null: there is none here, or it cannot be read. */
    brokerCpuMs: () => (broker === null ? null : brokerCpu.readMs()),
    async stop(): Promise<void> {
      await Promise.all([broker?.stop(), ...lines.map(({ line }) => line.stop())]);
    },
  };
}

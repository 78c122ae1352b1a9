/** One worker process of a trial's server. */
import { answerCalls } from './called-process.ts';
import type { ServerCalls } from './calls.ts';
import { serverOf } from './relay-ways.ts';

answerCalls<ServerCalls>({
  async start({ token, ...cell }) {
    const server = await serverOf(cell);
    const { port } = await server.start({ host: '127.0.0.1', port: 0, token });
    return { port };
  },
  async cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
});

/** A server as it is sampled: the trial's own, or what can be seen of somebody else's. */
import type { Observed } from '../experiment/servers.ts';
import { costReader, type ServerCosts } from '../probes/observed-server.ts';
import type { Deployment, DeploymentSample } from './deployment.ts';

export type MeasuredSample = DeploymentSample & Partial<Pick<ServerCosts, 'series' | 'toldAtMs'>>;

export interface MeasuredServer extends Pick<Deployment, 'listen' | 'profile' | 'strike' | 'stop'> {
  sample(): Promise<MeasuredSample>;
}

/** Of all that a trial's own server tells, what nobody tells of another's. */
const UNSEEN = {
  traffic: null,
  gateCpuMs: null,
  serverWrittenBytes: null,
  perServerCpuMs: [],
  brokerCpuMs: null,
  store: null,
};

/** Somebody else's server. Its `listen` throws UserError (2) if it cannot be seen as was said. */
export function observeServer(observed: Observed): MeasuredServer {
  let read: Awaited<ReturnType<typeof costReader>>;
  return {
    async listen() {
      read = await costReader(observed);
      // It listens already, at an address of its own.
      return [];
    },
    sample: async () => ({ ...UNSEEN, ...(await read()) }),
    profile: async () => null,
    strike: () => Promise.reject(new Error('to a server that somebody else runs, nothing is done')),
    stop: async () => {},
  };
}

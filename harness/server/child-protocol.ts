/** Messages between the server's host and its child process; both run the same version on the same machine. */
import type { GroupedDelays } from '../probes/loop-delay.ts';
import type { HostOptions } from './host.ts';

export type ToChild =
  | ({ type: 'listen' } & Omit<HostOptions, 'framework'>)
  | { type: 'profile'; durationMs: number }
  | { type: 'stop' };

export type FromChild =
  /** The framework's server is loaded. */
  | { type: 'loaded' }
  | { type: 'listening'; port: number }
  /** It cannot be loaded, or cannot listen. */
  | { type: 'failed'; message: string }
  | ({ type: 'sample' } & Sample)
  | { type: 'profile'; profile: string | null };

/** Bytes since the child's start, delays of its event loop since the sample before. */
export interface Sample {
  traffic: { sentBytes: number; receivedBytes: number };
  delays: GroupedDelays;
}

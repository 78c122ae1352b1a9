/** A child process with a framework's server, as the process that hosts it knows it, and the messages between the two. */
import { join } from 'node:path';
import { Child, endText, nodeCommand } from '../../infra/process/child.ts';
import type { GroupedDelays } from '../probes/loop-delay.ts';
import { Mailbox } from '../trial/coordinator.ts';
import { CONTROL_URL_VARIABLE } from '../trial/protocol.ts';
import type { HostOptions } from './host.ts';

export class ServerChild {
  readonly #process: Child;
  readonly #mailbox = new Mailbox<FromChild>();
  readonly #failed = new AbortController();

  /** Starts to load the framework's server at once. */
  constructor(framework: string, onSample: (sample: Sample) => void) {
    // The child is told the token; who looks into its environment is not.
    const { [CONTROL_URL_VARIABLE]: _secret, ...env } = process.env;
    const entry = join(import.meta.dirname, 'child-main.ts');
    this.#process = new Child({ command: nodeCommand(entry, framework), environment: env, hasChannel: true });
    this.#process.process.on('message', (message: FromChild) => {
      if (message.type === 'failed') this.#failed.abort(new Error(message.message));
      else if (message.type === 'sample') onSample(message);
      else this.#mailbox.deliver(message);
    });
    this.#process.ended.then((end) => this.#failed.abort(new Error(`its process ${endText(end)}`)));
  }

  /** Aborts with an error if it cannot go on, and when it has ended. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  send(message: ToChild): void {
    if (this.#process.process.connected) this.#process.process.send(message);
  }

  /** The next message of this type, also one that came before. @throws Error if the child fails before */
  expect<T extends FromChild['type']>(type: T): Promise<Extract<FromChild, { type: T }>> {
    return this.#mailbox.expect(type, this.#failed.signal);
  }

  /** Ends it as by a crash. */
  kill(): void {
    this.#process.kill();
  }

  /** Resolves once it has ended. */
  async ended(): Promise<void> {
    await this.#process.ended;
  }
}

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

/** A child process with a framework's server, as the process that hosts it knows it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Mailbox } from '../trial/member.ts';
import { CONTROL_URL_VARIABLE } from '../trial/protocol.ts';
import type { FromChild, Sample, ToChild } from './child-protocol.ts';

export class ServerChild {
  readonly #process: ChildProcess;
  readonly #mailbox = new Mailbox<FromChild>();
  readonly #failed = new AbortController();

  /** Starts to load the framework's server at once. */
  constructor(framework: string, onSample: (sample: Sample) => void) {
    // The child is told the token; who looks into its environment is not.
    const { [CONTROL_URL_VARIABLE]: _secret, ...env } = process.env;
    this.#process = fork(new URL('child-main.ts', import.meta.url), [framework], { env });
    this.#process.on('message', (message: FromChild) => {
      if (message.type === 'failed') this.#failed.abort(new Error(message.message));
      else if (message.type === 'sample') onSample(message);
      else this.#mailbox.deliver(message);
    });
    this.#process.on('error', (error) => this.#failed.abort(error));
    this.#process.on('exit', (code, signal) => {
      this.#failed.abort(new Error(`its process ended (${signal ?? `exit code ${code}`})`));
    });
  }

  /** Aborts with an error where it cannot go on, and where it has ended. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  send(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message);
  }

  /** The next message of this type, also one that came before. @throws Error where the child fails before */
  expect<T extends FromChild['type']>(type: T): Promise<Extract<FromChild, { type: T }>> {
    return this.#mailbox.expect(type, this.#failed.signal);
  }

  /** Ends it as by a crash. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Resolves once it has ended. */
  async ended(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
  }
}

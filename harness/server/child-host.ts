/** The framework's server in a child process, which can be ended as by a crash, and started again. */
import { nowMs, realTimer } from '../../infra/clock.ts';
import type { GroupedDelays } from '../probes/loop-delay.ts';
import type { HostOptions, ServerHost } from './host.ts';
import { type Sample, ServerChild } from './server-child.ts';

/** How long a child may take to stop in order. */
const STOP_LIMIT_MS = 3000;

const NOTHING = { sentBytes: 0, receivedBytes: 0 };

export class ChildHost implements ServerHost {
  readonly #options: HostOptions;
  readonly #onEnded: (how: string) => void;
  /** Null while the server is down. */
  #child: ServerChild | null = null;
  #port: number;
  /** Traffic of the earlier children, and of the current one. */
  #trafficBefore = NOTHING;
  #traffic = NOTHING;
  /** Occurrences of each delay, in ms, since the last time that they were taken. */
  #delays = new Map<number, number>();

  private constructor(options: HostOptions, onEnded: (how: string) => void) {
    this.#options = options;
    this.#onEnded = onEnded;
    this.#port = options.port;
  }

  /**
   * @param onEnded is told if the child ends unasked; the server is gone then
   * @throws Error if the server cannot be loaded, or cannot listen there
   */
  static async start(options: HostOptions, onEnded: (how: string) => void): Promise<ChildHost> {
    const host = new ChildHost(options, onEnded);
    await host.#listen(host.#fork());
    return host;
  }

  get port(): number {
    return this.#port;
  }

  traffic(): { sentBytes: number; receivedBytes: number } {
    return {
      sentBytes: this.#trafficBefore.sentBytes + this.#traffic.sentBytes,
      receivedBytes: this.#trafficBefore.receivedBytes + this.#traffic.receivedBytes,
    };
  }

  loopDelays(): GroupedDelays {
    const delays = [...this.#delays].sort(([a], [b]) => a - b).map(([ms, count]): [number, number] => [count, ms]);
    this.#delays = new Map();
    return delays;
  }

  async profile(durationMs: number): Promise<string | null> {
    if (this.#child === null) throw new Error('the server is down');
    this.#child.send({ type: 'profile', durationMs });
    return (await this.#child.expect('profile')).profile;
  }

  /**
   * Kills the server now. Another, which has all to learn anew, listens at its port from `untilMs` on; instants are on this
   * process's clock.
   *
   * @returns when it was killed, and when it accepted connections again
   * @throws Error if it does not start again
   */
  async restart(untilMs: number): Promise<{ beganMs: number; endedMs: number }> {
    const beganMs = nowMs();
    this.#child?.kill();
    await this.#untilEnded();
    // It is loaded while the server is down.
    const child = this.#fork();
    try {
      await realTimer.until(untilMs, child.failed);
      await this.#listen(child);
    } catch (error) {
      throw new Error(`it does not start again after the requested crash: ${(error as Error).message}`);
    }
    return { beganMs, endedMs: nowMs() };
  }

  async stop(): Promise<void> {
    const child = this.#child;
    child?.send({ type: 'stop' });
    const killer = setTimeout(() => child?.kill(), STOP_LIMIT_MS);
    await this.#untilEnded();
    clearTimeout(killer);
  }

  /** Until the child has ended, which is wanted from now on. */
  async #untilEnded(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    await child?.ended();
    this.#trafficBefore = this.traffic();
    this.#traffic = NOTHING;
  }

  #fork(): ServerChild {
    this.#child = new ServerChild(this.#options.framework, (sample) => this.#take(sample));
    return this.#child;
  }

  async #listen(child: ServerChild): Promise<void> {
    const { address, token } = this.#options;
    await child.expect('loaded');
    child.send({ type: 'listen', address, port: this.#port, token });
    this.#port = (await child.expect('listening')).port;
    const tell = () => {
      if (this.#child === child) this.#onEnded((child.failed.reason as Error).message);
    };
    child.failed.addEventListener('abort', tell, { once: true });
  }

  #take({ traffic, delays }: Sample): void {
    this.#traffic = traffic;
    for (const [count, ms] of delays) this.#delays.set(ms, (this.#delays.get(ms) ?? 0) + count);
  }
}

/** A run as the person's machine steers it: the coordinator elsewhere does what that machine says, one trial at a time. */
import { findFrameworks } from '../../frameworks/discover.ts';
import { layerHere } from '../../infra/compose/layer.ts';
import { readTaskMetadata } from '../../infra/machine/task-metadata.ts';
import { sourceFingerprint } from '../../infra/source-fingerprint.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { verifyTrace } from '../../traces/cache.ts';
import { syntheticTrace } from '../../traces/synthetic.ts';
import { describeEnvironment } from '../machine/environment.ts';
import { type RunOne, readyTrials } from '../trial/trials.ts';
import { type RunContext, runRemoteTrial } from './remote-trial.ts';
import type { Begin, MessageToRemote } from './steering-protocol.ts';

export class SteeredRun {
  readonly #context: RunContext;
  readonly #onOver: () => void;
  /** The trace that was announced and is on its way. */
  #trace: { begin: Begin; chunks: Buffer[]; leftBytes: number } | null = null;
  #readied: { begin: Begin; runOne: RunOne } | null = null;
  #trial: { stop: AbortController; done: Promise<void> } | null = null;

  /** @param onOver called when the person's machine says that the run is over */
  constructor(context: RunContext, onOver: () => void) {
    this.#context = context;
    this.#onOver = onOver;
    context.channel.receive({
      onMessage: (message) => this.#obey(message),
      onBytes: (bytes) => this.#takeTrace(bytes),
    });
  }

  /** Ends the trial under way, if there is one; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#trial?.stop.abort(new Error('the run ended'));
    await this.#trial?.done;
  }

  #obey(message: MessageToRemote): void | Promise<void> {
    switch (message.type) {
      case 'begin':
        if (message.traceBytes === null) return this.#ready(message, null);
        this.#trace = { begin: message, chunks: [], leftBytes: message.traceBytes };
        return;
      case 'trial':
        return this.#startTrial(message.planned);
      case 'interrupt':
        this.#trial?.stop.abort(new Error('interrupted'));
        return;
      case 'over':
        this.#onOver();
        this.#context.channel.close();
        return;
    }
  }

  #takeTrace(bytes: Buffer): void | Promise<void> {
    const trace = this.#trace;
    if (trace === null || bytes.length > trace.leftBytes) throw new Error('bytes came that nothing had announced');
    trace.chunks.push(bytes);
    trace.leftBytes -= bytes.length;
    if (trace.leftBytes > 0) return;
    this.#trace = null;
    return this.#ready(trace.begin, Buffer.concat(trace.chunks));
  }

  /** @param traceBytes null: the synthetic trace, which every machine makes for itself */
  async #ready(begin: Begin, traceBytes: Uint8Array | null): Promise<void> {
    const { channel } = this.#context;
    const { experiment } = begin;
    try {
      const trace = traceBytes === null ? syntheticTrace() : await verifyTrace(traceBytes, experiment.trace);
      const frameworks = await findFrameworks(experiment.frameworks);
      const [runOne, environment, metadata, fingerprint] = await Promise.all([
        readyTrials(experiment, trace, frameworks),
        describeEnvironment(experiment, { frameworks, chrome: null }),
        readTaskMetadata(),
        sourceFingerprint(),
      ]);
      this.#readied = { begin, runOne };
      channel.send({
        type: 'ready',
        environment: { ...environment, serverTask: metadata },
        fingerprint,
        layer: layerHere(),
      });
    } catch (error) {
      channel.send({ type: 'failed', text: (error as Error).message });
    }
  }

  /** Returns while it runs, so that it can be interrupted. */
  #startTrial(planned: PlannedTrial): void {
    if (this.#readied === null || this.#trial !== null) throw new Error('a trial was asked for out of turn');
    const stop = new AbortController();
    const done = runRemoteTrial({ ...this.#context, ...this.#readied, planned }, stop.signal)
      .catch((error: Error) => {
        // Where it was stopped, whoever stopped it knows why.
        if (!stop.signal.aborted) this.#context.channel.send({ type: 'failed', text: error.message });
      })
      .then(() => {
        this.#trial = null;
      });
    this.#trial = { stop, done };
  }
}

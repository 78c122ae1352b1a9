/**
 * A run whose results are awaited elsewhere, as the job of a worker (infra/workers). The worker passes on its messages, and each
 * trial's files when the trial ends. The other end knows what became of machines, and has the last word on the verdict.
 */
import { once } from 'node:events';
import * as z from 'zod';
import { readTaskMetadata } from '../../../infra/machine/container.ts';
import { PHASES, recordSchema } from '../../../results/formats/records.ts';
import { verdictSchema } from '../../../results/formats/verdict.ts';
import { UserError } from '../../../results/user-error.ts';
import type { Runner, RunnerOptions } from '../runner.ts';

/** Messages of such a run. */
export const handedIn = z.discriminatedUnion('type', [
  /** It is ready for its trials. */
  z.object({ type: z.literal('open'), environment: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('notice'), text: z.string() }),
  z.object({ type: z.literal('phase'), phase: z.enum(PHASES), endsAtMs: z.number().nullable() }),
  /** For the live figures; the files hold all of them. */
  z.object({
    type: z.literal('records'),
    optional: z.literal(true),
    user: z.int().nullable(),
    lines: z.array(recordSchema),
  }),
  /** The run ends because something that it needs refuses or is not there, as a person should know. */
  z.object({ type: z.literal('refused'), text: z.string() }),
  /** A trial has ended; its files came before. Answered with the verdict by which both ends go on. */
  z.object({ type: z.literal('trial'), folder: z.string(), verdict: verdictSchema }),
  /** The run is not over with that trial. */
  z.object({ type: z.literal('heeded') }),
]);
export type HandedIn = z.infer<typeof handedIn>;

/** Set for a job whose results somebody waits for. */
export const AWAITED_VARIABLE = 'SCRIPTORIUM_AWAITED';
export const isAwaited = () => process.env[AWAITED_VARIABLE] !== undefined;

/** Opens a run that says how it goes. */
export async function openAwaited(
  options: RunnerOptions,
  open: (options: RunnerOptions) => Promise<Runner>,
): Promise<Runner> {
  const say = (message: HandedIn) => void process.send!(message);
  const { onNotice, onPhase, onRecords } = options.observer;
  const observer: RunnerOptions['observer'] = {
    onNotice(text) {
      onNotice(text);
      say({ type: 'notice', text });
    },
    onPhase(phase, endsAtMs) {
      onPhase(phase, endsAtMs);
      say({ type: 'phase', phase, endsAtMs });
    },
    onRecords(user, lines) {
      onRecords(user, lines);
      say({ type: 'records', optional: true, user, lines });
    },
  };
  const telling = async <Result>(doing: Promise<Result>): Promise<Result> => {
    try {
      return await doing;
    } catch (error) {
      if (error instanceof UserError) say({ type: 'refused', text: error.message });
      throw error;
    }
  };
  const runner = await telling(open({ ...options, observer }));
  const environment = { ...runner.environment, coordinatorTask: await readTaskMetadata() };
  say({ type: 'open', environment });
  return {
    ...runner,
    environment,
    async runTrial(planned, directory) {
      const verdict = await telling(runner.runTrial(planned, directory));
      const answered = once(process, 'message', { signal: options.signal });
      say({ type: 'trial', folder: directory, verdict });
      return verdictSchema.parse((await answered)[0]);
    },
    async heed(planned, verdict) {
      await telling(runner.heed?.(planned, verdict) ?? Promise.resolve());
      say({ type: 'heeded' });
    },
  };
}

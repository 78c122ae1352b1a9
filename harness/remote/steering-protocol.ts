/**
 * How the person's machine steers a run whose coordinator is elsewhere: what the two say to each other over one channel, which
 * that machine opens with a token of its own. Bytes are the content of what was announced last: the trace, or a file.
 */
import * as z from 'zod';
import { PHASES, recordSchema } from '../../results/formats/records.ts';
import { planSchema } from '../../results/formats/run-directory.ts';
import { verdictSchema } from '../../results/formats/verdict.ts';
import { experiment } from '../experiment/experiment.ts';

/** Where the coordinator's container finds what it needs to know. */
export const STEERING_TOKEN_VARIABLE = 'SCRIPTORIUM_STEERING_TOKEN';
export const FIRST_PORT_VARIABLE = 'SCRIPTORIUM_FIRST_PORT';

/** The largest message that either end takes: some of a trial's records. Files come in frames that are much smaller. */
export const LARGEST_MESSAGE_BYTES = 16 * 2 ** 20;

export const messageToRemote = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    experiment: experiment.resolved,
    /** Its size; the trace itself follows. Null: the synthetic one, which needs none. */
    traceBytes: z.int().nonnegative().nullable(),
    /** Where users reach the remote machine. */
    publicAddress: z.string(),
  }),
  z.object({ type: z.literal('trial'), planned: planSchema.shape.trials.element }),
  /** End the trial under way. */
  z.object({ type: z.literal('interrupt') }),
  /** The run is over: dismiss the workers and end. */
  z.object({ type: z.literal('over') }),
]);
export type MessageToRemote = z.infer<typeof messageToRemote>;
export type Begin = Extract<MessageToRemote, { type: 'begin' }>;

export const messageFromRemote = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    environment: z.record(z.string(), z.unknown()),
    /** Of the sources that the image holds. */
    fingerprint: z.string(),
    /** The digest of what it holds beside; null: nothing. */
    layer: z.string().nullable(),
  }),
  z.object({
    type: z.literal('phase'),
    phase: z.enum(PHASES),
    endsAtMs: z.number().nullable(),
  }),
  /** For the live figures; the files hold all records, these may lack some. */
  z.object({ type: z.literal('records'), user: z.int().nullable(), lines: z.array(recordSchema) }),
  /** A file of the trial, relative to its directory; its content follows. */
  z.object({ type: z.literal('file'), path: z.string(), bytes: z.int().nonnegative() }),
  z.object({
    type: z.literal('verdict'),
    verdict: verdictSchema,
    /** Containers that went in the course of the trial, for whatever reason. */
    lost: z.array(z.string()),
  }),
  /** The trial could not begin: containers are missing. */
  z.object({ type: z.literal('shortfall'), text: z.string() }),
  z.object({ type: z.literal('failed'), text: z.string() }),
]);
export type MessageFromRemote = z.infer<typeof messageFromRemote>;

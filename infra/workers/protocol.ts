/**
 * Messages between a dispatcher and its workers, over one WebSocket per worker, sealed with the run's token (channel/seal.ts). The worker
 * opens it and shows the token as `Authorization: Bearer <token>`; one that nobody waits for is called instead (called-worker.ts). Every
 * message that arrives is checked against these schemas.
 */
import * as z from 'zod';
import { plainText } from '../../results/foreign-text.ts';
import { fileMessage } from '../channel/files.ts';

/**
 * The dispatcher gives up a worker that is silent for this long. Less than a channel's own limit: a trial that lost a worker
 * must end because of that before it is judged.
 */
export const WORKER_SILENCE_MS = 30_000;

export const ROLES = ['server', 'users', 'coordinator'] as const;
/** The purpose of a worker, which takes jobs of that name. */
export type Role = (typeof ROLES)[number];

/** Why a worker leaves of its own accord. */
export const LEAVING = ['interrupted', 'deadline'] as const;

export const messageToDispatcher = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    role: z.enum(ROLES),
    /** Which place it is in, if the fleet has several; null: jobs of any group will do. */
    group: z.string().max(64).nullable(),
    /** For messages: a container's or task's name. */
    name: z.string().max(256).overwrite(plainText),
    /** The address at which other processes of the fleet reach it. */
    address: z.string().max(256),
    /** Limits of the worker's container, as seen from inside; null: no limit. */
    limits: z.object({ cpus: z.number().positive().nullable(), memoryMiB: z.number().positive().nullable() }),
  }),
  /** The job's process ended. */
  z.object({
    type: z.literal('ended'),
    job: z.int(),
    code: z.int().nullable(),
    signal: z.string().max(32).nullable(),
    lastWords: z.string().max(10_000).overwrite(plainText),
    /** Words about memory, if that may be why. */
    memory: z.string().max(1000).overwrite(plainText).optional(),
  }),
  /** A file that the job hands in. */
  fileMessage,
  /** A message of the job's process to the one that gave the job. */
  z.object({ type: z.literal('said'), value: z.unknown() }),
  /** The worker is about to leave, as a spot interruption or the hard deadline wants it; `ended` still follows. */
  z.object({ type: z.literal('leaving'), why: z.enum(LEAVING) }),
]);
export type MessageToDispatcher = z.infer<typeof messageToDispatcher>;
export type Hello = Extract<MessageToDispatcher, { type: 'hello' }>;

export const messageToWorker = z.discriminatedUnion('type', [
  /** A file for the next job, into its folder. */
  fileMessage,
  /** For the job's process. */
  z.object({ type: z.literal('answer'), value: z.unknown() }),
  /** Run this; one at a time. `entry` is a file of the project. */
  z.object({
    type: z.literal('job'),
    job: z.int(),
    entry: z.string().regex(/^[a-z]+(\/[\w-]+)+\.ts$/),
    arguments: z.array(z.string()),
    environment: z.record(z.string(), z.string()),
  }),
  /** End the job's process. */
  z.object({ type: z.literal('stop'), job: z.int() }),
  /** The run is over: end. */
  z.object({ type: z.literal('over') }),
]);
export type MessageToWorker = z.infer<typeof messageToWorker>;
export type JobOrder = Extract<MessageToWorker, { type: 'job' }>;

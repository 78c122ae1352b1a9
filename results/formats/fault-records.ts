/**
 * Lines of the record that tell of faults which an experiment asked for, and of users' connections.
 * Rules for all lines stand in `records.ts`.
 */
import * as z from 'zod';
import { count, instantMs } from './names.ts';

/** Faults of the framework's servers, of their store and of what they tell each other by (the broker), while users type. */
export const SERVER_FAULTS = [
  'server-restart',
  'server-pause',
  'server-roll',
  'server-apart',
  'store-restart',
  'broker-restart',
] as const;
export type ServerFaultKind = (typeof SERVER_FAULTS)[number];

/** Faults that an experiment may ask for: those, and of users' lines to a server. */
export const ASKED_FAULTS = [...SERVER_FAULTS, 'network-cut', 'network-slow', 'offline'] as const;
export type AskedFaultKind = (typeof ASKED_FAULTS)[number];

/** Coordinator: a fault that the experiment asked for, and that began. Instants are on the coordinator's clock. */
export const askedFaultRecord = z.object({
  type: z.literal('asked-fault'),
  /** Its place in the experiment's list, from 0. */
  fault: count,
  kind: z.enum(ASKED_FAULTS),
  beganMs: instantMs,
  /** Of a restart: when the last of what was ended accepted connections again. Null if it never ended. */
  endedMs: instantMs.nullable(),
  /** The server that it struck, from 0; absent: all of them, or none. */
  server: count.optional(),
  /** Numbers of the users that the fault struck; empty: all. */
  users: z.array(count),
});

/**
 * User: its connection to the framework's server is `lost`, as its client saw it; `back` in step with the server, beside a
 * line `reconnected`; or `gone` for good, as its client gave it up. Then the user types on alone, where faults were asked
 * for.
 */
export const connectionRecord = z.object({
  type: z.literal('connection'),
  atMs: instantMs,
  state: z.enum(['lost', 'back', 'gone']),
  /** Of what is gone: the client's words. */
  why: z.string().optional(),
});

/**
 * User: a change that came from others took the cursor so many UTF-16 units further from the characters beside which it
 * stood than it had to; below zero: towards the document's start.
 */
export const cursorRecord = z.object({ type: z.literal('cursor'), atMs: instantMs, movedBy: z.int() });

/**
 * Coordinator, and whoever measures documents, before all else and after: the clocks, the code and other runs. While the machine
 * sleeps `uptimeMs` goes on, and `atMs` does not; `wallMs` is the time of day, which may be set. Absent before 26 November.
 */
export const surroundingsRecord = z.object({
  type: z.literal('surroundings'),
  atMs: instantMs,
  wallMs: instantMs,
  uptimeMs: z.number().nonnegative(),
  /** As `environment.json` tells them. */
  commit: z.string().nullable(),
  changed: z.boolean().nullable(),
  sources: z.string(),
  /** False if the sources changed since the command began. */
  isCodeOfRun: z.boolean(),
  /** Processes of other runs on this machine. */
  otherRuns: z.array(count),
});

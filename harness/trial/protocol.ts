/**
 * Messages between the coordinator and the processes of a trial, over one WebSocket per user and one for the server. Every
 * message that arrives is checked against these schemas. Instants are milliseconds since the epoch on the coordinator's clock
 * unless a comment says otherwise.
 */
import * as z from 'zod';
import { MODE_NAMES } from '../../frameworks/modes.ts';
import type { LineFault } from '../../infra/network/link.ts';
import { SERVER_FAULTS } from '../../results/formats/fault-records.ts';
import { recordSchema, settledRecord } from '../../results/formats/records.ts';
import type { Edit } from '../../traces/edits.ts';
import { AGENT_KINDS } from '../experiment/company.ts';
import { typing } from '../experiment/experiment.ts';
import { link } from '../experiment/network.ts';

const editSchema: z.ZodType<Edit> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), move: z.int(), text: z.string() }),
  z.object({ kind: z.literal('paste'), move: z.int(), text: z.string() }),
  z.object({ kind: z.literal('backspace'), move: z.int() }),
  z.object({ kind: z.literal('delete'), move: z.int() }),
  z.object({ kind: z.literal('erase'), move: z.int(), length: z.int() }),
]);

const lineFault: z.ZodType<LineFault> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cut') }),
  z.object({ kind: z.literal('offline') }),
  z.object({ kind: z.literal('slow'), link: link.resolved }),
]);

/** When a fault begins, from the start of typing on, and how long it lasts. */
const lasts = { atMs: z.number(), forMs: z.number() };

/** An injected fault as one user has it; `line`: what becomes of its line to the server, null: nothing. */
const scheduledFault = z.object({ ...lasts, line: lineFault.nullable() });
export type ScheduledFault = z.infer<typeof scheduledFault>;

/** `fault`: its place in the experiment's list; `which`: the server that it strikes, from 0, null: all. */
const scheduledServerFault = z.object({
  ...lasts,
  fault: z.int(),
  kind: z.enum(SERVER_FAULTS),
  which: z.int().nonnegative().nullable(),
});
export type ScheduledServerFault = z.infer<typeof scheduledServerFault>;

/** The orders for one user of a trial. */
const assignmentSchema = z.object({
  user: z.int().nonnegative(),
  users: z.int().positive(),
  framework: z.string(),
  mode: z.enum(MODE_NAMES),
  seed: z.int(),
  /** Hand in what the framework's client sent, in the end. */
  keepsSent: z.boolean().optional(),
  /** The kind of an agent, which a program types for; absent: a person. */
  agent: z.enum(AGENT_KINDS).optional(),
  /**
   * Of the member that stands for readers who are sockets: how many, how far apart they join, and the addresses of several servers,
   * over which they are spread; absent: it is a user.
   */
  readers: z
    .object({ count: z.int().positive(), joinPeriodMs: z.number(), servers: z.array(z.string()).optional() })
    .optional(),
  /** By how much the user's page is slowed down; absent: not at all. */
  cpuSlowdown: z.number().optional(),
  /** False for a user who only watches. */
  writes: z.boolean(),
  /** Where the user joins: the framework’s server, or the link of a document at another’s service; see `ForeignServer`, too. */
  serverUrl: z.string(),
  pageUrl: z.string(),
  documentId: z.string(),
  /** How the user's client gathers what it sends and receives; 0: message by message. */
  batching: z.object({ receiveMs: z.number(), receivePhaseMs: z.number().optional(), sendMs: z.number() }),
  /** The name and colour that the others see; absent: cursors are neither sent nor shown. */
  presence: z.object({ name: z.string(), colour: z.string() }).optional(),
  /** The link between this user and the server, beside the network that is there. */
  link: link.resolved,
  /**
   * The faults that the experiment injects. With any, a lost connection is waited for as long as the framework's library tries,
   * and a user whose client gives up types on, alone.
   */
  faults: z.array(scheduledFault),
  typing: typing.resolved,
  edits: z.array(editSchema),
});
export type Assignment = z.infer<typeof assignmentSchema>;

/**
 * The way to a server that somebody else runs. It may hold secrets, so it comes to the processes of users in a variable, as the
 * control address does, and is part of no message.
 */
export const foreignServer = z.object({
  /** Each of a user’s connections asks for it as it stands. */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  ca: z.string().nullable(),
  /** Admits users by the library’s own protocol. */
  token: z.string().nullable(),
});
export type ForeignServer = z.infer<typeof foreignServer>;
export const FOREIGN_VARIABLE = 'SCRIPTORIUM_FOREIGN';

/**
 * Messages that a user's client sent over one connection: the path behind the server's address, and each frame with its
 * instant on the screen's clock.
 */
const sentSchema = z.object({
  path: z.string(),
  frames: z.array(
    z.object({ atMs: z.number() }).and(z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })])),
  ),
});
export type Sent = z.infer<typeof sentSchema>;

/** Digests of one user's document at one moment; `records.ts` says what each is of. */
const documentStateSchema = settledRecord.pick({
  modelDigest: true,
  shownModelDigest: true,
  editorDigest: true,
  editorTextDigest: true,
  screenTextDigest: true,
  characters: true,
});
export type DocumentState = z.infer<typeof documentStateSchema>;

/**
 * The framework, if its client or server said so; a foreign server that refused; one that lets its users only read; what stands behind
 * the trial's servers.
 */
const BLAMED = ['framework', 'foreign', 'read-only', 'store'] as const;
export type Blamed = (typeof BLAMED)[number];

export const messageToCoordinator = z.discriminatedUnion('type', [
  /** `user`: its number; null: it is the server. */
  z.object({ type: z.literal('hello'), user: z.int().nonnegative().nullable() }),
  /** `sentMs` is on the asking process's clock; the reply repeats it. */
  z.object({ type: z.literal('time'), sentMs: z.number() }),
  /** `ports`: where a server listens, and the others of the same documents; in the order of their numbers. */
  z.object({ type: z.literal('ready'), ports: z.array(z.int()).optional() }),
  z.object({ type: z.literal('marker-shown') }),
  z.object({ type: z.literal('records'), lines: z.array(recordSchema) }),
  z.object({ type: z.literal('document-state'), state: documentStateSchema, typing: z.boolean() }),
  /** A played user: all that it was to send is sent, and the server has read it. */
  z.object({ type: z.literal('played') }),
  /** A fault of the servers was carried out as scheduled, and is over. */
  z.object({ type: z.literal('server-fault'), fault: z.int(), beganMs: z.number(), endedMs: z.number() }),
  /** A CPU profile in the format that Chrome DevTools opens; null if the process cannot take one. */
  z.object({ type: z.literal('cpu-profile'), profile: z.string().nullable() }),
  z.object({
    type: z.literal('outcome'),
    /** The document as the model has it; and as the editor has it, if that differs: evidence of a faulty binding. */
    contents: z.string().nullable(),
    editorContents: z.string().nullable(),
    savedState: z.string().nullable(),
    /** Sent messages, from a user who was to keep them. */
    sent: z.array(sentSchema).optional(),
  }),
  /** The process cannot go on, and whose doing that is, if it is known. */
  z.object({ type: z.literal('failed'), message: z.string(), by: z.enum(BLAMED).optional() }),
]);
export type MessageToCoordinator = z.infer<typeof messageToCoordinator>;
export type MessageOf<T extends MessageToCoordinator['type']> = Extract<MessageToCoordinator, { type: T }>;

export const messageToProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('time'), sentMs: z.number(), coordinatorMs: z.number() }),
  z.object({ type: z.literal('assignment'), assignment: assignmentSchema }),
  /** Report when this sigil shows; the one who is to type it does so at once, after what the document begins with. */
  z.object({ type: z.literal('marker'), marker: z.string(), typeIt: z.boolean(), startText: z.string() }),
  /** Users type from `startMs` until `endMs`; memory is sampled at `memoryAtMs`. The faults of the schedule count from `startMs`. */
  z.object({
    type: z.literal('go'),
    startMs: z.number(),
    endMs: z.number(),
    memoryAtMs: z.number(),
    /** The servers' part of the schedule; absent: none. */
    serverFaults: z.array(scheduledServerFault).optional(),
  }),
  z.object({ type: z.literal('profile'), durationMs: z.number() }),
  z.object({ type: z.literal('ask-document-state') }),
  /** Hand in everything; `withContents` asks for the document itself and the framework's saved state too. */
  z.object({ type: z.literal('collect'), withContents: z.boolean() }),
  z.object({ type: z.literal('goodbye') }),
]);
export type MessageToProcess = z.infer<typeof messageToProcess>;

/** The environment variable in which a process of a trial finds the coordinator's control address, token included: `ps` does not show it. */
export const CONTROL_URL_VARIABLE = 'SCRIPTORIUM_CONTROL_URL';

/** The trial's token, which the control address of any of its processes holds: `ws://host:port/<token>/control`. */
export function tokenOf(controlUrl: string): string {
  return new URL(controlUrl).pathname.split('/')[1]!;
}

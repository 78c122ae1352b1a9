/** A worker's settings, from its container's environment. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { ROLES } from './protocol.ts';

const text = z.string().min(1);
/** Compose files pass what is not set as an empty text. */
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => value || undefined, schema.optional());

const schema = z
  .object({
    /** The dispatcher's address: `ws://host:port`. */
    SCRIPTORIUM_DISPATCHER: optional(
      z.url({ protocol: /^wss?$/, error: 'the dispatcher’s address, such as ws://192.168.0.1:7070' }),
    ),
    /** The port on which this worker waits to be called; then there is no dispatcher that it calls. */
    SCRIPTORIUM_CALLED_ON: optional(z.coerce.number().int().min(1024).max(65_535)),
    /** The run's token, or the file that holds it, which may still have to appear. */
    SCRIPTORIUM_TOKEN: optional(text),
    SCRIPTORIUM_TOKEN_FILE: optional(text),
    SCRIPTORIUM_ROLE: z.enum(ROLES, { error: `one of: ${ROLES.join(', ')}` }),
    SCRIPTORIUM_GROUP: optional(text.max(64)),
    /** For messages; the host's name unless given. */
    SCRIPTORIUM_NAME: optional(text.max(256)),
    /** The address at which others reach this machine, if it does not know the address by itself. */
    SCRIPTORIUM_ADDRESS: optional(text.max(256)),
    /** When to end, whatever happens: an instant such as 2026-01-01T00:00:00Z. */
    SCRIPTORIUM_DEADLINE: optional(z.iso.datetime({ error: 'an instant such as 2026-01-01T00:00:00Z' })),
  })
  .refine(
    ({ SCRIPTORIUM_DISPATCHER: url, SCRIPTORIUM_CALLED_ON: port }) => (url === undefined) !== (port === undefined),
    {
      error: 'the dispatcher’s address, such as ws://192.168.0.1:7070',
      path: ['SCRIPTORIUM_DISPATCHER'],
    },
  )
  .refine(({ SCRIPTORIUM_TOKEN: token, SCRIPTORIUM_TOKEN_FILE: file }) => token ?? file, {
    error: 'the run’s token, or SCRIPTORIUM_TOKEN_FILE the file that holds it',
    path: ['SCRIPTORIUM_TOKEN'],
  });

export interface WorkerSettings {
  /** The dispatcher that this worker calls, or the port on which it waits to be called. */
  dispatcher: string | number;
  /** Reads it anew each time: a file may have been left by an earlier run. */
  readToken(): Promise<string>;
  role: (typeof ROLES)[number];
  group: string | null;
  name: string;
  address: string | null;
  deadlineMs: number;
}

/** @throws Error that names each variable that is wrong, and what it must hold */
export function workerSettings(environment: NodeJS.ProcessEnv): WorkerSettings {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${String(path[0])} must hold ${message}`).join('; '),
    );
  }
  const given = parsed.data;
  const file = given.SCRIPTORIUM_TOKEN_FILE;
  return {
    dispatcher: given.SCRIPTORIUM_DISPATCHER ?? given.SCRIPTORIUM_CALLED_ON!,
    readToken: async () => given.SCRIPTORIUM_TOKEN ?? (await readFile(file!, 'utf8')).trim(),
    role: given.SCRIPTORIUM_ROLE,
    group: given.SCRIPTORIUM_GROUP ?? null,
    name: given.SCRIPTORIUM_NAME ?? hostname(),
    address: given.SCRIPTORIUM_ADDRESS ?? null,
    deadlineMs: Date.parse(given.SCRIPTORIUM_DEADLINE ?? '') || Number.POSITIVE_INFINITY,
  };
}

/** A world: all that users, lines and the server do in one simulated session. Any part of one is one, too. */
import * as z from 'zod';

/** A world has no more servers. */
export const MOST_SERVERS = 3;

/** The form of a world in files: since the second it may have a store, and who reloads may keep its state; since the third, lines stall. */
export const WORLD_VERSION = 3;

const ms = z.number().min(0).max(1e9);
const of = { atMs: ms, user: z.int().min(0).max(31) };
const place = z.number().min(0).max(1);
const ways = z.enum(['there', 'back', 'both']);
const server = z
  .int()
  .min(0)
  .max(MOST_SERVERS - 1);

const step = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ do: z.literal(kind), ...shape });
const stepSchema = z.discriminatedUnion('do', [
  step('insert', {
    ...of,
    place,
    text: z
      .string()
      .max(10_000)
      .regex(/^[\ue000-\uf8ff][^\ue000-\uf8ff]*$/, 'is no mark with text behind it'),
    bold: z.boolean(),
    /** It replaces so many characters, in one change. */
    over: z.int().min(1).optional(),
  }),
  step('delete', { ...of, place, length: z.int().min(1) }),
  step('format', { ...of, place, length: z.int().min(1), name: z.string(), value: z.boolean() }),
  step('line', { ...of, place, name: z.string(), value: z.union([z.string(), z.number(), z.literal(false)]) }),
  /** The user takes back its last insertion, as far as that is still there. */
  step('undo', of),
  /**
   * The line swallows all that goes that way, then breaks, and is down for a while. Each end learns of it after its own
   * time; messages on their way still arrive (`drains`), or are lost.
   */
  step('cut', {
    ...of,
    swallows: ways,
    swallowMs: ms,
    forMs: ms,
    clientLagMs: ms,
    serverLagMs: ms,
    drains: z.boolean(),
  }),
  /** Messages that go those ways wait, and arrive at once at the end, in order. */
  step('stall', { ...of, holds: ways, forMs: ms }),
  /** The server ends the connection, as of one who is too slow. */
  step('close', { ...of, code: z.int().min(1000).max(4999) }),
  step('leave', of),
  /** The user leaves, and joins again: with what it saved if it `keeps` that and its client can resume, else with nothing. */
  step('reload', { ...of, forMs: ms, keeps: z.literal(true).optional() }),
  /** The user's machine goes: nothing of it is heard again. */
  step('crash', { ...of, serverLagMs: ms }),
  /** A server's process is killed, and started again with what its store held. */
  step('restart', { atMs: ms, server: server.optional(), forMs: ms, clientLagMs: ms, drains: z.boolean() }),
  /** A server reaches neither the others nor the broker for a while. Each end learns of it after its own time. */
  step('apart', { atMs: ms, server, forMs: ms, lagMs: ms, brokerLagMs: ms, drains: z.boolean() }),
  /** The broker's process is killed, and started again with nothing. */
  step('broker', { atMs: ms, forMs: ms, lagMs: ms, drains: z.boolean() }),
  /** Somebody sets the clock. */
  step('jump', { atMs: ms, byMs: z.number() }),
]);
const linkShape = { delayMs: ms, jitterMs: ms };
const userSchema = z.strictObject({
  ...linkShape,
  receiveMs: ms,
  sendMs: ms,
  /** 0: with the first. */
  joinsMs: ms,
});
export const worldSchema = z.strictObject({
  /** Draws jitter, and all that libraries draw. */
  seed: z.int().min(0),
  users: z.array(userSchema).min(1).max(32),
  /** Each is so far from where their ways meet, which is the broker if there is one; absent: there is one, alone. */
  servers: z.array(z.strictObject(linkShape)).min(2).max(MOST_SERVERS).optional(),
  /** So far from each server, and it outlives them (see `writtenMsOf`); absent: documents are in their memory. */
  store: z.strictObject({ delayMs: ms, writtenMs: ms.optional() }).optional(),
  /** In ascending order of `atMs`, which counts from the moment at which all of the first have joined. */
  steps: z.array(stepSchema).refine(haveOwnMarks, 'have two insertions with one mark'),
});

export type World = z.infer<typeof worldSchema>;
export type WorldUser = World['users'][number];
export type WorldLink = Pick<WorldUser, keyof typeof linkShape>;
export type Step = World['steps'][number];
export type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;
/** `join`: somebody comes later than the first. */
export type WorldKind = Step['do'] | 'join';

/** Kinds of things that users do to the text. */
export const EDITS = ['insert', 'delete', 'format', 'line', 'undo'] as const;
/** Kinds of things that go wrong between several servers. */
export const SERVERS_FAULTS = ['apart', 'broker'] as const;
/** Kinds of things that go wrong with one server, too. */
export const USUAL_FAULTS = ['cut', 'close', 'leave', 'reload', 'crash', 'restart', 'jump', 'join'] as const;
export const FAULTS = [...USUAL_FAULTS, 'stall', ...SERVERS_FAULTS] as const;

export function kindsOf({ users, steps }: World): Set<string> {
  const kinds = new Set<string>(steps.map((each) => each.do));
  return users.some(({ joinsMs }) => joinsMs > 0) ? kinds.add('join') : kinds;
}

/** The same world, in which nothing of these kinds happens. */
export function withoutKinds(world: World, kinds: readonly string[]): World {
  return {
    ...world,
    users: world.users.map((user) => (kinds.includes('join') ? { ...user, joinsMs: 0 } : user)),
    steps: world.steps.filter((each) => !kinds.includes(each.do)),
  };
}

/** Behind the users of a world. */
export interface WorldBacking {
  /** That share the document. */
  servers: number;
  hasStore: boolean;
  /** As in a world's store. */
  writtenMs?: number;
}
export const ONE_IN_MEMORY: WorldBacking = { servers: 1, hasStore: false };

/** Adapters wait for up to 10 s; one that says nothing has some more. */
const WRITTEN_MS = 15_000;

/** How long after a server has an edit, the store has it at the latest; null: there is none. */
export function writtenMsOf({ store }: World): number | null {
  return store === undefined ? null : (store.writtenMs ?? WRITTEN_MS);
}

/** The program between several servers, if they need one. */
export const BROKER = 'redis';

export function serverName({ servers }: World, index: number): string {
  return servers === undefined ? 'server' : `server ${index + 1}`;
}

/** How far each server is from where their ways meet; one that is alone is there. */
export function serversOf({ servers }: World): readonly WorldLink[] {
  return servers ?? [{ delayMs: 0, jitterMs: 0 }];
}

/** The server of a user: they go to all in turns. */
export function serverOf(world: World, user: number): number {
  return user % serversOf(world).length;
}

/** The last one comes when all is over. */
export function userName({ users }: World, user: number): string {
  return user === users.length ? 'newcomer' : String.fromCharCode(97 + user);
}

/** Each insertion begins with a character of its own, from a private area of Unicode: that nothing can split or confuse. */
const FIRST_MARK = 0xe000;
const MARK = /[\ue000-\uf8ff]/g;

export function markOf(number: number): string {
  return String.fromCharCode(FIRST_MARK + number);
}

function haveOwnMarks(steps: readonly { do: string; text?: string }[]): boolean {
  const marks = steps.flatMap(({ text = '' }) => marksIn(text));
  return new Set(marks).size === marks.length;
}

export function marksIn(text: string): string[] {
  return text.match(MARK) ?? [];
}

/** For people: `[3]word` of the fourth insertion. */
export function readable(text: string): string {
  return text.replace(MARK, (mark) => `[${mark.charCodeAt(0) - FIRST_MARK}]`).replaceAll('\n', '⏎');
}

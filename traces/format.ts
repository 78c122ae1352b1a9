/**
 * The format of the public editing traces: a document's history as transactions of patches, and the text it must end with.
 *
 * @see https://github.com/josephg/editing-traces, which describes the sequential and the concurrent form
 */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import { readingProblem } from '../results/file-problem.ts';
import { messageOf, UserError } from '../results/user-error.ts';

/** Ten times the largest public trace, unpacked; a file beyond it is a mistake or a zip bomb. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
/** Each agent is a replica held in memory; the public traces have two. */
const MAX_AGENTS = 100;
/** The first few faults of a file say what is wrong with it. */
const SHOWN_FAULTS = 3;

const count = z.int().nonnegative();
const text = z.string().refine((value) => value.isWellFormed(), 'holds half of a surrogate pair');
const patch = z.tuple([count, count, text]);

const sequentialSchema = z.object({
  startContent: text,
  endContent: text,
  txns: z.array(z.object({ time: z.string().optional(), patches: z.array(patch) })),
});

const concurrentSchema = z
  .object({
    kind: z.literal('concurrent'),
    endContent: text,
    numAgents: z.int().positive().max(MAX_AGENTS),
    txns: z.array(z.object({ parents: z.array(count), agent: count, patches: z.array(patch) })),
  })
  .check(({ value, issues }) => {
    for (const [index, txn] of value.txns.entries()) {
      if (txn.agent >= value.numAgents) {
        const message = `expected an agent below numAgents (${value.numAgents})`;
        issues.push({ code: 'custom', path: ['txns', index, 'agent'], input: txn.agent, message });
      }
      for (const [place, parent] of txn.parents.entries()) {
        if (parent < index) continue;
        const message = `expected an earlier transaction (below ${index})`;
        issues.push({ code: 'custom', path: ['txns', index, 'parents', place], input: parent, message });
      }
    }
  });

/**
 * `[position, deleted, inserted]`: at `position`, `deleted` characters go and the text `inserted` comes.
 * Positions and lengths count Unicode code points. Each patch applies to what the patch before it left.
 */
export type Patch = z.infer<typeof patch>;
/** One author's history: every transaction applies to what the one before it left. */
export type SequentialTrace = z.infer<typeof sequentialSchema> & { kind: 'sequential' };
/**
 * Several authors' history, from an empty document: each transaction applies to its parents (indexes of earlier ones),
 * merged. Each agent's edits are one line of history.
 */
export type ConcurrentTrace = z.infer<typeof concurrentSchema>;
export type Trace = SequentialTrace | ConcurrentTrace;

/** @throws UserError (2) if the file cannot be read */
export async function readTraceBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UserError(
      `Cannot read the trace file ${path}: ${readingProblem(cause)}. Give the path of a trace as JSON, gzipped or not.`,
      { cause },
    );
  }
}

/**
 * A trace that is well-formed, but not yet replayed: see replay.ts.
 *
 * @param bytes  the file's content, gzipped or not: recognised by gzip's magic bytes, not by a name
 * @param source the trace's name in messages: a path or an address
 * @throws UserError (2) if it is no trace
 */
export async function parseTrace(bytes: Uint8Array, source: string): Promise<Trace> {
  const json = parseJson(await unpack(bytes, source), source);
  const kind = typeof json === 'object' && json !== null && 'kind' in json ? json.kind : undefined;
  if (kind !== undefined && kind !== 'concurrent') {
    throw new UserError(
      `${source}: kind is ${JSON.stringify(kind)}; valid are "concurrent", and none for a sequential trace.`,
    );
  }
  if (kind === 'concurrent') return validate(concurrentSchema, json, source);
  return { kind: 'sequential', ...validate(sequentialSchema, json, source) };
}

async function unpack(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const gzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!gzipped) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UserError(`${source} cannot be unpacked (${reason}). It is damaged: get it again.`, {
      cause,
    });
  }
}

function parseJson(bytes: Uint8Array, source: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UserError(`${source} is no trace: it is not JSON in UTF-8 (${reason}).`, { cause });
  }
}

function validate<T>(schema: z.ZodType<T>, json: unknown, source: string): T {
  const result = schema.safeParse(json, { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const lines = issues.slice(0, SHOWN_FAULTS).map((issue) => {
    const place = z.core.toDotPath(issue.path) || 'the file';
    return `  ${place}: ${issue.message}; saw ${shorten(issue.input)}`;
  });
  if (issues.length > SHOWN_FAULTS) lines.push(`  and ${issues.length - SHOWN_FAULTS} more`);
  const form = 'A trace is {startContent, endContent, txns: [{patches: [[position, deleted, inserted]]}]}';
  throw new UserError(`${source} is no trace:\n${lines.join('\n')}\n${form}; see traces/README.md.`);
}

function shorten(value: unknown): string {
  const shown = JSON.stringify(value) ?? 'nothing';
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}

/** The edits of a trace that live users write into a document: a file for each number of edits, made when the first trial needs it. */
import { UserError } from '../results/user-error.ts';
import type { Trace } from '../traces/format.ts';
import { resolveTrace } from '../traces/store.ts';
import { EditFiles, type Share } from './replay/edit-files.ts';
import { editsOf } from './replay/edits.ts';
import type { ScenarioContext } from './scenario.ts';

/**
 * @returns the path of the file with so many edits, which `readEdits` reads
 * @throws UserError (2) if the trace is not here, or cannot be written into an editor
 */
export async function openWrittenEdits(
  experiment: { trace: string; edits: readonly number[] },
  { folder, say }: Pick<ScenarioContext, 'folder' | 'say'>,
): Promise<(edits: number) => Promise<string>> {
  const trace = await resolveTrace(experiment.trace);
  const shares = new Map(experiment.edits.map((edits) => [edits, shareOf(trace, edits)]));
  for (const [edits, { repeat }] of shares) {
    if (repeat > 1)
      say(`note: ${experiment.trace} is shorter than ${edits} edits, so it is written ${repeat} times over`);
  }
  const files = new EditFiles(folder, trace);
  return (edits) => files.pathFor(shares.get(edits)!);
}

/** The share that makes so many edits. @throws UserError (2) if the trace cannot be written into an editor */
export function shareOf(trace: Trace, edits: number): Share {
  const advice = 'take another trace; `./scriptorium list` shows them';
  if (trace.kind === 'concurrent') {
    throw new UserError(`the trace has several authors at once, and one user writes the document here; ${advice}`);
  }
  const all = editsOf(trace);
  const repeat = Math.ceil(edits / all.count);
  const atMost = Math.round(edits / repeat);
  const part = editsOf(trace, { atMost });
  if (part.inserted.some((text) => text.includes('\r'))) {
    throw new UserError(`the trace has "\\r", which editors make "\\n" of, so its later edits would miss; ${advice}`);
  }
  if (part.endContent === '') {
    throw new UserError(
      `after its first ${atMost} edits the trace’s text is empty, so nobody would see that it has come; ${advice}`,
    );
  }
  return { atMost, repeat };
}

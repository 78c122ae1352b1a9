/** Replays a trace and compares the result with the text that it must end with: the proof that a trace is whole. */
import { UserError } from '../results/user-error.ts';
import { applyChange, checkPatch, type Observer } from './change.ts';
import { replayConcurrent } from './concurrent.ts';
import type { SequentialTrace, Trace } from './format.ts';
import { codePointsOf, GapBuffer, textOf } from './gap-buffer.ts';

/** Characters shown on each side of a difference. */
const CONTEXT = 20;

/**
 * @param observer sees each change before it is made
 * @throws UserError (2) if a patch cannot be made, or the result differs from `endContent`
 */
export function replay(trace: Trace, observer?: Observer): void {
  const document = trace.kind === 'concurrent' ? replayConcurrent(trace, observer) : replaySequential(trace, observer);
  if (textOf(document.slice()) !== trace.endContent) throw differenceError(trace, document);
}

/**
 * @returns the document at the end, in code points
 * @throws UserError (2) if a patch reaches outside the document
 */
function replaySequential(trace: SequentialTrace, observer?: Observer): GapBuffer {
  const document = new GapBuffer(codePointsOf(trace.startContent));
  for (const [transaction, { patches }] of trace.txns.entries()) {
    for (const [index, patch] of patches.entries()) {
      checkPatch(document, patch, { transaction, patch: index });
      const [position, deleted, inserted] = patch;
      const change = { author: 0, document, position, deleted, inserted, transaction };
      observer?.typed(change);
      applyChange(change);
    }
  }
  return document;
}

function differenceError(trace: Trace, document: GapBuffer): UserError {
  const expected = codePointsOf(trace.endContent);
  let place = 0;
  while (place < expected.length && place < document.length && document.at(place) === expected[place]) place++;
  const around = (codePoints: Uint32Array) => JSON.stringify(textOf(codePoints));
  const from = Math.max(0, place - CONTEXT);
  const wanted = around(Uint32Array.from(expected).slice(from, place + CONTEXT));
  const seen = around(document.slice(from, place + CONTEXT));
  return new UserError(
    `The replay of ${trace.txns.length === 1 ? 'the transaction' : `all ${trace.txns.length} transactions`} does not give the trace's endContent. The first difference is at ` +
      `character ${place}: expected ${wanted}, saw ${seen}${originOf(trace, place)} (length expected: ` +
      `${expected.length}, seen: ${document.length}). The trace is damaged or was not recorded whole.`,
  );
}

/** Names the transaction that wrote the character at `place`: the trace went wrong there, or after it. */
function originOf(trace: Trace, place: number): string {
  if (trace.kind === 'concurrent') return '';
  const transactions = writersOf(trace);
  if (place >= transactions.length) return ', the end';
  const transaction = transactions.at(place);
  return transaction === trace.txns.length ? ', from startContent' : `, written by transaction ${transaction}`;
}

/** For each character of the result, the transaction that wrote it; the number of transactions for startContent. */
function writersOf(trace: SequentialTrace): GapBuffer {
  const fromStart = trace.txns.length;
  const writers = new GapBuffer(codePointsOf(trace.startContent).fill(fromStart));
  replaySequential(trace, {
    typed({ position, deleted, inserted, transaction }) {
      writers.splice(position, deleted, codePointsOf(inserted).fill(transaction));
    },
  });
  return writers;
}

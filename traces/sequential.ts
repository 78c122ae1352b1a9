/** Replays one author's trace. */
import { applyChange, checkPatch, type Observer } from './change.ts';
import { codePointsOf } from './code-points.ts';
import type { SequentialTrace } from './format.ts';
import { GapBuffer } from './gap-buffer.ts';

/**
 * @returns the document at the end, in code points
 * @throws UserError (2) where a patch reaches outside the document
 */
export function replaySequential(trace: SequentialTrace, observer?: Observer): GapBuffer {
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

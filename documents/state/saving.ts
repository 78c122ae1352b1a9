/** Saves of one document, and their times. */
import type { Encoding, EngineDocument } from '../engines/engine.ts';
import { SubjectFailure } from '../scenario.ts';

const CHARACTER = 'x';

/** An engine from outside may encode everything all the same. @throws SubjectFailure if it has no such encoding */
export function savedAs(document: EngineDocument, name: string): Encoding {
  const found = document.save?.(name).find((encoding) => encoding.name === name);
  if (found === undefined) throw new SubjectFailure('not-offered', `it has no encoding "${name}"`);
  return found;
}

/**
 * Times saves of a document that has just changed: Loro keeps what it encoded, so an unchanged document costs it less, and no server
 * saves such a one again.
 *
 * @param length of the document's text
 * @returns a function that saves it once, ms: before every odd save a character comes, before every even one it goes again
 */
export function changedSaves(document: EngineDocument, encoding: string, length: number): () => number {
  let isLonger = false;
  return () => {
    if (isLonger) document.edit(length, 1, '');
    else document.edit(length, 0, CHARACTER);
    isLonger = !isLonger;
    const startMs = performance.now();
    savedAs(document, encoding);
    return performance.now() - startMs;
  };
}

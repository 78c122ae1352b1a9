/** Working offline: two replicas edit apart, one of them across a restart, and meet again. */
import { judge, type Outcome } from '../outcome.ts';

/** How a library does it. Documents may be values: what takes one gives it back. */
export interface OfflineLibrary<Document> {
  create(text: string): Document;
  insert(document: Document, position: number, text: string): Document;
  text(document: Document): string;
  save(document: Document): Uint8Array;
  /** @param replica 1 or 2: whose it is from now on */
  load(saved: Uint8Array, replica: number): Document;
  /** Each gets what it lacks of the other's; no server is asked. */
  exchange(one: Document, other: Document): [Document, Document];
}

export function mergesOffline<Document>(library: OfflineLibrary<Document>): Outcome {
  const seed = library.save(library.create('middle'));
  let one = library.load(seed, 1);
  let other = library.load(seed, 2);
  one = library.insert(one, 0, 'first ');
  other = library.insert(other, 'middle'.length, ' last');
  one = library.load(library.save(one), 1);
  one = library.insert(one, 0, 'very ');
  [one, other] = library.exchange(one, other);
  const texts = [library.text(one), library.text(other)];
  return judge([
    { holds: texts[0] === texts[1], otherwise: 'replicas end apart', isEssential: true },
    { holds: texts[0] === 'very first middle last', otherwise: `edits made offline give "${texts[0]}"` },
  ]);
}

// Two write into one text, and one of them, the reader, imports each edit of the other. What does an import take if the other
// takes in the edits of the reader now and then, and if it never does?
import { LoroDoc } from 'loro-crdt';

/** @returns ms of an import, the quickest of each fifth of the edits: other programs on the machine are not in it */
function importing(othersPause, edits = 200) {
  const [reader, other] = [new LoroDoc(), new LoroDoc()];
  reader.getText('text').insert(0, 'x'.repeat(100));
  other.import(reader.export({ mode: 'update' }));
  const type = (doc, at) => {
    const before = doc.oplogVersion();
    doc.getText('text').insert(at, 'y');
    doc.commit();
    return doc.export({ mode: 'update', from: before });
  };
  const fifths = Array(5).fill(Number.POSITIVE_INFINITY);
  for (let edit = 0; edit < edits; edit++) {
    type(reader, 10);
    const message = type(other, 90);
    const start = performance.now();
    reader.import(message);
    const fifth = Math.floor((5 * edit) / edits);
    fifths[fifth] = Math.min(fifths[fifth], performance.now() - start);
    if ((edit + 1) % othersPause === 0) other.import(reader.export({ mode: 'update', from: other.oplogVersion() }));
  }
  return fifths;
}

const [nowAndThen, never] = [importing(10), importing(Number.POSITIVE_INFINITY)];
console.log(JSON.stringify({ nowAndThen, never, ratio: never[4] / nowAndThen[4] }));

// How long does it take to take in one character of somebody else, in a short document and in a long one?
import * as Automerge from '@automerge/automerge';

/** @returns ms, the quickest of some: other programs on the machine are not in it */
function takingIn(characters, count = 9) {
  let writer = Automerge.from({ text: '' });
  writer = Automerge.change(writer, (draft) => Automerge.splice(draft, ['text'], 0, 0, 'x'.repeat(characters)));
  let reader = Automerge.load(Automerge.save(writer));
  const times = [];
  for (let index = 0; index < count; index++) {
    writer = Automerge.change(writer, (draft) => Automerge.splice(draft, ['text'], 5, 0, 'y'));
    const change = Automerge.getLastLocalChange(writer);
    const start = performance.now();
    reader = Automerge.loadIncremental(reader, change);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

takingIn(2_000, 50); // Its WebAssembly is quick only after some calls.
const [shortMs, longMs] = [takingIn(2_000), takingIn(50_000)];
console.log(JSON.stringify({ shortMs, longMs, ratio: longMs / shortMs }));

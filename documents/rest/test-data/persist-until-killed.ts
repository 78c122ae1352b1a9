/** `node persist-until-killed.ts JSON`: persists one edit after another, and prints how many there are once each is kept. */
import { writeSync } from 'node:fs';
import { makeEdit } from '../../replay/edits.ts';
import type { RestTask } from '../main.ts';
import { loadStore, loadWay } from '../stores.ts';
import { typedEdits } from './typed-edits.ts';

export interface Persisting extends Pick<RestTask, 'store' | 'way' | 'durable' | 'directory' | 'compactEvery'> {
  seed: number;
  /** So many edits are there already. */
  from: number;
}

const { store: name, way, durable, directory, seed, from, compactEvery } = JSON.parse(process.argv[2]!) as Persisting;
const edits = typedEdits(seed);
const store = await (await loadStore(name))(directory, { durable });
const document = await (await loadWay(way)).open(store, { compactEvery });
say(from);
for (let index = from; index < edits.count; index++) {
  makeEdit(document, edits, index);
  await document.persist();
  say(index + 1);
}
// It is killed; should whoever kills it be gone, it ends.
setTimeout(() => {}, 60_000);

/** At once: what waited in this process would be lost with it. Where the reader is slow, the pipe is full for a while. */
function say(count: number): void {
  for (;;) {
    try {
      writeSync(1, `${count}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

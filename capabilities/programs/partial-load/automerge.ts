import * as Automerge from '@automerge/automerge';
import { expectThat, notOffered, type Program } from '../outcome.ts';

export const program: Program = () => {
  const doc = Automerge.from({ one: 'part one', two: 'part two' });
  const loaded = Automerge.load<Record<string, string>>(Automerge.save(doc));
  expectThat(loaded.one === 'part one' && loaded.two === 'part two', 'load gives all parts');
  return notOffered(
    'looked among what the package exports for a way to save or load a path; load and loadIncremental take changes of the whole document',
    ['loadPath', 'savePath', 'loadPartial', 'saveObject', 'loadObject'].map((name) => [Automerge, name]),
  );
};

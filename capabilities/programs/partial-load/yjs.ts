/** With subdocuments: parts that were made documents of their own when the document was made. */
import * as Y from 'yjs';
import { expectThat, judge, type Program } from '../outcome.ts';

export const program: Program = () => {
  const whole = new Y.Doc();
  const chapters = whole.getMap<Y.Doc>('chapters');
  for (const name of ['one', 'two']) {
    const chapter = new Y.Doc();
    chapter.getText('text').insert(0, `chapter ${name}`);
    chapters.set(name, chapter);
  }
  const saved = {
    whole: Y.encodeStateAsUpdate(whole),
    one: Y.encodeStateAsUpdate(chapters.get('one')!),
  };

  const reader = new Y.Doc();
  Y.applyUpdate(reader, saved.whole);
  const parts = reader.getMap<Y.Doc>('chapters');
  const [one, two] = [parts.get('one'), parts.get('two')];
  expectThat(one !== undefined && two !== undefined, 'the document names its parts');
  const before = textOf(one);
  one.load();
  Y.applyUpdate(one, saved.one);
  const loaded = [textOf(one), textOf(two)];
  one.getText('text').insert(0, 'edited ');
  Y.applyUpdate(chapters.get('one')!, Y.encodeStateAsUpdate(one));
  const edited = textOf(chapters.get('one')!);

  return judge([
    {
      holds: before === '' && loaded[0] === 'chapter one' && loaded[1] === '',
      otherwise: `its parts are "${loaded.join('", "')}"`,
    },
    { holds: edited === 'edited chapter one', otherwise: `after an edit of the part it is "${edited}"` },
    {
      holds: partOfOrdinaryDocument() === 'a',
      otherwise:
        'only parts that were made subdocuments beforehand; the state of an ordinary document is loaded as a whole',
    },
  ]);
};

function textOf(doc: Y.Doc): string {
  return doc.getText('text').toString();
}

/** The text of a reader who asks a state for a part of it; a state vector is the only thing to ask with. */
function partOfOrdinaryDocument(): string {
  const doc = new Y.Doc();
  doc.getText('one').insert(0, 'a');
  doc.getText('two').insert(0, 'b');
  const reader = new Y.Doc();
  Y.applyUpdate(reader, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(reader)));
  return reader.getText('one').toString() + reader.getText('two').toString();
}

/** Defects of a framework's client half. */
import Delta, { type Op } from 'quill-delta';
import type { Editor } from '../../editors/base/editor.ts';
import { type BrokenFramework, brokenBinding, brokenDocument, brokenJoin } from './broken-framework.ts';

/** The user at whom alone something is wrong. */
const UNLUCKY = 1;
/** Early edits are left alone, so that users can begin at all. */
const FIRST_BROKEN_EDIT = 10;
/** Longer than the trials of the test type, and shorter than they wait for agreement. */
const HELD_MS = 4000;

export const dropsRemoteEdits: BrokenFramework = brokenDocument((document) => {
  let received = 0;
  return { receive: (messages) => document.receive(messages.filter(() => ++received % 20 !== 0)) };
});

export const ignoresDeletions: BrokenFramework = brokenDocument((document) => ({
  change: (delta) =>
    document.change(mapText(delta, ({ delete: deleted, ...op }) => (deleted ? { retain: deleted } : op))),
}));

export const losesBold: BrokenFramework = brokenDocument((document, user) => {
  if (user !== UNLUCKY) return {};
  const without = (delta: Delta) =>
    mapText(delta, ({ attributes: { bold: _bold, ...attributes } = {}, ...op }) => ({ ...op, attributes }));
  return {
    contents: () => without(document.contents()),
    receive: (messages) => without(document.receive(messages)),
  };
});

export const swapsLines: BrokenFramework = brokenDocument((document, user) => ({
  contents() {
    const contents = document.contents();
    if (user !== UNLUCKY) return contents;
    const [first = new Delta(), second = new Delta(), ...rest] = linesOf(contents);
    return [second, first, ...rest].reduce((all, line) => all.concat(line), new Delta());
  },
}));

export const savesAnOlderState: BrokenFramework = brokenDocument((document) => {
  let edits = 0;
  let saved: Uint8Array | null = null;
  return {
    change(delta) {
      document.change(delta);
      if (++edits === FIRST_BROKEN_EDIT) saved = document.save();
    },
    save: () => saved ?? document.save(),
  };
});

/** Everyone agrees on the document: what was deleted is there again. */
export const rollsDeletionsBack: BrokenFramework = answersEdits((change, before) =>
  mapText(change.invert(before), ({ delete: inserted, retain, ...op }) =>
    op.insert === undefined ? { retain: inserted ?? retain! } : op,
  ),
);

/** Everyone agrees on the document: all is there twice. */
export const doublesInsertions: BrokenFramework = answersEdits(doubled, 'answer');

/** The same, passed off as what the user did: nothing in the document is nobody's. */
export const inventsInsertions: BrokenFramework = answersEdits(doubled, 'user');

/** Everyone agrees on the document: what some keys typed stands at its end. */
export const movesInsertions: BrokenFramework = answersEdits(({ ops }, before, edits) => {
  const at = ops.length === 2 && typeof ops[0]!.retain === 'number' ? ops[0]!.retain : 0;
  const text = ops.at(-1)!.insert;
  const after = before.length() - at;
  if (edits % 20 !== 0 || typeof text !== 'string' || after < 2) return new Delta();
  return new Delta()
    .retain(at)
    .delete(text.length)
    .retain(after - 1)
    .insert(text);
});

export const throwsInItsHandler: BrokenFramework = brokenBinding((editor) => {
  let edits = 0;
  editor.on('text-change', (_change, _before, source) => {
    if (source === 'user' && ++edits > FIRST_BROKEN_EDIT) throw new Error('the binding met what it does not know');
  });
});

/** User 0, who types the marker, is spared: its trial could not begin. */
export const holdsSends: BrokenFramework = brokenJoin((join, options, user) =>
  join(user === 0 ? options : { ...options, batching: { ...options.batching, sendMs: HELD_MS } }),
);

export const isNeverReady: BrokenFramework = brokenJoin((join, options, user) =>
  user === UNLUCKY ? new Promise(() => {}) : join(options),
);

/** After each of the user's edits, another change of the document, which the editor tells as of this source. */
function answersEdits(
  answer: (change: Delta, before: Delta, edits: number) => Delta,
  answerSource = 'answer',
): BrokenFramework {
  return brokenBinding((editor: Editor) => {
    let edits = 0;
    let isAnswering = false;
    editor.on('text-change', (change, before, source) => {
      if (source !== 'user' || isAnswering || ++edits < FIRST_BROKEN_EDIT) return;
      const answered = answer(change, before, edits).chop();
      if (answered.ops.length === 0) return;
      queueMicrotask(() => {
        isAnswering = true;
        editor.updateContents(answered, answerSource);
        isAnswering = false;
      });
    });
  });
}

function doubled({ ops }: Delta): Delta {
  return ops.reduce((answer, { insert, retain }) => {
    if (typeof insert === 'string') return answer.retain(insert.length).insert(insert);
    return typeof retain === 'number' ? answer.retain(retain) : answer;
  }, new Delta());
}

function mapText(delta: Delta, map: (op: Op) => Op): Delta {
  return delta.ops.reduce((mapped, op) => mapped.push(map(op)), new Delta());
}

function linesOf(contents: Delta): Delta[] {
  const lines: Delta[] = [];
  contents.eachLine((line, attributes) => {
    lines.push(line.insert('\n', attributes));
  });
  return lines;
}

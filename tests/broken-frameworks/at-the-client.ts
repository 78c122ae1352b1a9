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
/** As long as two keys at most. */
const PAUSE_MS = 120;
const FREEZE_MS = 2000;
const FREEZE_PERIOD_MS = 10_000;

export const dropsRemoteEdits: BrokenFramework = brokenDocument((document) => {
  let received = 0;
  return { receive: (messages) => document.receive(messages.filter(() => ++received % 20 !== 0)) };
});

export const ignoresDeletions: BrokenFramework = brokenDocument((document) => ({
  change: (delta) =>
    document.change(mapText(delta, ({ delete: deleted, ...op }) => (deleted ? { retain: deleted } : op))),
}));

/** Formats by others show much later, wherever their text is then. */
export const holdsFormats: BrokenFramework = brokenBinding((editor) => {
  const update = editor.updateContents;
  let waiting: Delta[] = [];
  editor.updateContents = (content, source) => {
    const delta = new Delta(content);
    waiting = waiting.map((format) => delta.transform(format, true));
    if (source === 'user') return update.call(editor, delta, source);
    const format = delta.ops
      .reduce((all, { insert, retain, attributes }) => {
        if (typeof insert === 'string') return all.retain(insert.length);
        return typeof retain === 'number' ? all.retain(retain, attributes) : all;
      }, new Delta())
      .chop();
    if (format.ops.length > 0) {
      waiting.push(format);
      setTimeout(() => update.call(editor, waiting.shift()!, source), HELD_MS);
    }
    const rest = mapText(delta, ({ attributes, ...op }) => (op.insert === undefined ? op : { ...op, attributes }));
    return update.call(editor, rest.chop(), source);
  };
});

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

/** Everyone agrees on the document: what stood before a user's insertion, and was another's, stands behind it. */
export const swapsNeighbours: BrokenFramework = answersEdits(({ ops }, before, edits) => {
  const at = ops.length === 2 && typeof ops[0]!.retain === 'number' ? ops[0]!.retain : 0;
  const text = ops.at(-1)!.insert;
  const neighbour = at > 0 ? before.slice(at - 1, at).ops[0]?.insert : undefined;
  if (edits % 5 !== 0 || typeof text !== 'string' || typeof neighbour !== 'string') return new Delta();
  return new Delta()
    .retain(at - 1)
    .delete(1)
    .retain(text.length)
    .insert(neighbour);
});

/** Everyone agrees on the document: it holds what looks like some of the letters that were typed. */
export const writesLookAlikes: BrokenFramework = replacesInsertions((text) => text.replaceAll('e', 'е'));

export const losesCase: BrokenFramework = replacesInsertions((text) => text.toUpperCase());

/** Everyone agrees on the document, and on what was typed: each editor takes other letters from its user's keys. */
export const hearsOtherKeys: BrokenFramework = brokenBinding((editor) => {
  const update = editor.updateContents;
  let edits = 0;
  const mishear = (text: Op['insert']) => (typeof text === 'string' ? text.toUpperCase() : text);
  editor.updateContents = (delta, source) => {
    const heard = mapText(new Delta(delta), (op) =>
      op.insert === undefined ? op : { ...op, insert: mishear(op.insert) },
    );
    return update.call(editor, source === 'user' && ++edits > FIRST_BROKEN_EDIT ? heard : delta, source);
  };
});

/** Everyone agrees on the document: a format is where the user did not put it, just behind that. */
export const formatsElsewhere: BrokenFramework = answersEdits((change, before) => {
  const formats = change.ops.find(
    ({ attributes, insert }) => attributes !== undefined && insert === undefined,
  )?.attributes;
  if (formats === undefined) return new Delta();
  const undone = mapText(change, ({ attributes = {}, ...op }) => ({
    ...op,
    attributes: Object.fromEntries(Object.keys(attributes).map((name) => [name, null])),
  }));
  const room = before.length() - 1 - undone.length();
  return room > 0 ? undone.retain(Math.min(room, undone.length()), formats) : undone;
});

/** Everyone agrees on the document: what is typed in bold or italic loses that at once, at its author's, too. */
export const stripsTypedFormats: BrokenFramework = answersEdits(({ ops }) =>
  ops.reduce((answer, { insert, retain, attributes = {} }) => {
    if (typeof insert !== 'string') return answer.retain(Number(retain ?? 0));
    return answer.retain(insert.length, Object.fromEntries(Object.keys(attributes).map((name) => [name, null])));
  }, new Delta()),
);

/** Each fifth change of others takes the cursor to the start. */
export const throwsTheCursor: BrokenFramework = brokenBinding((editor) => {
  const update = editor.updateContents;
  let received = 0;
  editor.updateContents = (delta, source) => {
    const made = update.call(editor, delta, source);
    if (source !== 'user' && ++received % 2 === 0) editor.setSelection(0, 0, 'silent');
    return made;
  };
});

/** Each fifth key leaves the cursor before it. */
export const tearsWords: BrokenFramework = brokenBinding((editor) => {
  let edits = 0;
  editor.on('text-change', (_change, _before, source) => {
    if (source !== 'user' || ++edits % 5 !== 0) return;
    queueMicrotask(() => editor.setSelection(Math.max(0, (editor.getSelection()?.index ?? 0) - 1), 0, 'silent'));
  });
});

/** Keys are lost while what others typed is worked in. */
export const swallowsKeysAtTimes: BrokenFramework = brokenBinding((editor) => {
  const update = editor.updateContents;
  let busyToMs = 0;
  let received = 0;
  editor.updateContents = (delta, source) => {
    if (source === 'user' && performance.now() < busyToMs) return new Delta();
    if (source !== 'user' && ++received % 10 === 0) busyToMs = performance.now() + PAUSE_MS;
    return update.call(editor, delta, source);
  };
});

/** Everyone agrees on the document: what one user pastes is in it twice. */
export const doublesPastesOfOne: BrokenFramework = answersEdits(
  (change, _before, _edits, user) =>
    user === UNLUCKY && change.ops.some(({ insert }) => typeof insert === 'string' && insert.length > 1)
      ? doubled(change)
      : new Delta(),
  'answer',
);

/** The others hear of an edit with the next one, and of the last one never. */
export const keepsTheLastEdit: BrokenFramework = brokenDocument((document) => {
  let kept: Uint8Array | null = null;
  let edits = 0;
  return {
    change(delta) {
      edits++;
      document.change(delta);
    },
    takeMessage() {
      const message = document.takeMessage();
      // An edit without effect sends nothing: not what is kept, either. On a full machine one message has many edits.
      if (message === null || edits < FIRST_BROKEN_EDIT) return message;
      const before = kept;
      kept = message;
      return before;
    },
  };
});

/** Everyone agrees on the document: whoever pauses loses what was typed last. */
export const takesTheLastEditBack: BrokenFramework = brokenBinding((editor) => {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let edits = 0;
  editor.on('text-change', ({ ops }, _before, source) => {
    const text = ops.at(-1)!.insert;
    if (source !== 'user' || typeof text !== 'string' || ++edits < FIRST_BROKEN_EDIT) return;
    clearTimeout(pause);
    pause = setTimeout(() => {
      const behind = editor.getSelection()?.index ?? 0;
      editor.updateContents(new Delta().retain(Math.max(0, behind - 1)).delete(1), 'pause');
    }, PAUSE_MS);
  });
});

/** One user gets what the others type long after all others have it. */
export const letsOneWait: BrokenFramework = brokenJoin(async (join, options, user) => {
  if (user !== UNLUCKY) return join(options);
  return join({ ...options, batching: { ...options.batching, receiveMs: HELD_MS } });
});

/** Others' changes are applied as they come, at whatever ticks the others apply theirs. */
export const appliesAtOnce: BrokenFramework = brokenJoin((join, options) =>
  join({ ...options, batching: { ...options.batching, receiveMs: 0 } }),
);

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/** Everybody's editor stands still for 2 s in every 10, with the first key after that. It sleeps: threads that work would take the cores. */
export const freezes: BrokenFramework = {
  ...brokenBinding((editor) => {
    let nextMs = performance.now() + FREEZE_PERIOD_MS / 2;
    editor.on('text-change', (_change, _before, source) => {
      if (source !== 'user' || performance.now() < nextMs) return;
      nextMs = performance.now() + FREEZE_PERIOD_MS;
      Atomics.wait(NOBODY_WAKES, 0, 0, FREEZE_MS);
    });
  }),
  usersInThreads: 'freezes',
};

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
  answer: (change: Delta, before: Delta, edits: number, user: number) => Delta,
  answerSource = 'answer',
): BrokenFramework {
  return brokenBinding((editor: Editor, user) => {
    let edits = 0;
    let isAnswering = false;
    editor.on('text-change', (change, before, source) => {
      if (source !== 'user' || isAnswering || ++edits < FIRST_BROKEN_EDIT) return;
      const answered = answer(change, before, edits, user).chop();
      if (answered.ops.length === 0) return;
      queueMicrotask(() => {
        isAnswering = true;
        editor.updateContents(answered, answerSource);
        isAnswering = false;
      });
    });
  });
}

/** After each of the user's insertions, the change of its text into another one of the same length. */
function replacesInsertions(replace: (text: string) => string): BrokenFramework {
  return answersEdits(({ ops }) =>
    ops.reduce((answer, { insert, retain }) => {
      if (typeof retain === 'number') return answer.retain(retain);
      if (typeof insert !== 'string' || replace(insert) === insert) return answer;
      return answer.insert(replace(insert)).delete(insert.length);
    }, new Delta()),
  );
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

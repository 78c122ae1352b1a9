/**
 * What a user's own editor can tell of the user's own edits: which characters of the document are this user's, and what
 * became of the others. Every character is somebody's, so what all users claim in the end must be the whole document,
 * each place once; what others took from a user must have been deleted by somebody.
 *
 * An edit costs O(log n) in the length of the document, as in NoQuill, whose tree of runs this is.
 */
import Delta from 'quill-delta';
import { wholeCharacters } from '../binding/whole-characters.ts';
import type { Editor } from '../editor.ts';
import type { Attributes } from '../noquill/formats.ts';
import { concat, lengthOf, type Runs, runsOf, split, visitRuns } from '../noquill/runs.ts';

/** One user's account, in UTF-16 units unless it says otherwise. */
export interface EditAccount {
  /** What the user's own edits put into the editor. */
  insertedCharacters: number;
  /** What they took out of it: of the user's own, and of others'. */
  deletedCharacters: number;
  deletedOfOthersCharacters: number;
  /** The user's own that changes by others took out. */
  takenCharacters: number;
  /** What the user's own edits had taken out and others' changes put back at the same place. */
  restoredCharacters: number;
  /** Formats that the user's own edits set, one for each character and name, and those of them that others set anew. */
  formattedCharacters: number;
  reformattedCharacters: number;
  /** The user's own that are in the document now, and the sum of `placeHash` over their places. */
  claimedCharacters: number;
  claimedHash: number;
  /** The sum of `placeHash` over all places of the document: what all users' claims must add up to. */
  documentHash: number;
}

/** Whose a stretch is, and which of its formats this user set. Runs join where the object is the same. */
type Mark = Attributes & { readonly own: boolean; readonly formats: string };

/** Deletions are remembered this long; what comes back later counts as new. */
const RESTORING_LIMIT_MS = 60_000;

interface Deletion {
  index: number;
  text: string;
  atMs: number;
}

export interface EditLedger {
  /** What the editor holds now counts as this user's: of what was there before anyone typed, somebody must be the author. */
  claimContents(): void;
  account(): EditAccount;
}

/** Follows an editor from now on. Bindings that follow it later hear of each change later, whatever they do about it. */
export function followEdits(editor: Editor, nowMs: () => number = () => performance.now()): EditLedger {
  const ledger = new Ledger(editor.getText());
  const given = watchGiven(editor);
  editor.on('editor-change', (name, ...details) => {
    if (name !== 'text-change') return;
    const [change, before, source] = details as [Delta, Delta, unknown];
    if (source === 'user') ledger.addOwn(wholeCharacters(change, before), nowMs());
    else ledger.addOthers(whereGiven(change, given(), editor), nowMs());
  });
  return ledger;
}

/** What `updateContents` is carrying out; null: nothing. */
function watchGiven(editor: Editor): () => Delta | null {
  const update = editor.updateContents;
  let underWay: Delta | null = null;
  editor.updateContents = (delta, source) => {
    underWay = new Delta(delta);
    try {
      return update.call(editor, delta, source);
    } finally {
      underWay = null;
    }
  };
  return () => underWay;
}

/**
 * Quill does not show every format that a model may hold. Where it left one out, it compares texts to tell what it changed,
 * and of equal letters side by side it may name another than the one that came. The framework said which.
 */
function whereGiven(change: Delta, given: Delta | null, editor: Editor): Delta {
  if (given === null || JSON.stringify(textOf(change)) === JSON.stringify(textOf(given))) return change;
  const lengthBefore = editor.getLength() - change.changeLength();
  return given.changeLength() === change.changeLength() && reachOf(given) <= lengthBefore ? given : change;
}

/** What a change does to the text, without formats. */
function textOf({ ops }: Delta): Delta {
  return ops.reduce((text, { attributes: _formats, ...op }) => text.push(op), new Delta()).chop();
}

/** How much of the text before it a change goes over. */
function reachOf({ ops }: Delta): number {
  return ops.reduce((sum, { retain, delete: deleted }) => sum + Number(retain ?? deleted ?? 0), 0);
}

/**
 * A number in [0, 2^32) for a place in the document. Two different sets of places hardly ever have the same sum of these
 * (the finaliser of MurmurHash3, by Austin Appleby, public domain).
 */
export function placeHash(place: number): number {
  let hash = (place + 1) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

class Ledger implements EditLedger {
  #runs: Runs;
  #deletions: Deletion[] = [];
  readonly #marks = new Map<string, Mark>();
  readonly #sums = {
    insertedCharacters: 0,
    deletedCharacters: 0,
    deletedOfOthersCharacters: 0,
    takenCharacters: 0,
    restoredCharacters: 0,
    formattedCharacters: 0,
    reformattedCharacters: 0,
  };

  constructor(text: string) {
    this.#runs = runsOf(text, this.#mark(false, []));
  }

  claimContents(): void {
    let claimed: Runs = null;
    visitRuns(this.#runs, 0, lengthOf(this.#runs), (piece) => {
      claimed = concat(claimed, runsOf(piece, this.#mark(true, [])));
    });
    this.#runs = claimed;
  }

  addOwn(change: Delta, atMs: number): void {
    this.#apply(change, true, (index, gone) => {
      let text = '';
      visitRuns(gone, 0, lengthOf(gone), (piece, mark) => {
        text += piece;
        this.#sums.deletedCharacters += piece.length;
        if (!(mark as Mark).own) this.#sums.deletedOfOthersCharacters += piece.length;
      });
      this.#deletions.push({ index, text, atMs });
    });
  }

  addOthers(change: Delta, atMs: number): void {
    this.#deletions = this.#deletions.filter((deletion) => atMs - deletion.atMs < RESTORING_LIMIT_MS);
    this.#countRestored(change);
    this.#apply(change, false, (_index, gone) => {
      visitRuns(gone, 0, lengthOf(gone), (piece, mark) => {
        if ((mark as Mark).own) this.#sums.takenCharacters += piece.length;
      });
    });
  }

  account(): EditAccount {
    let place = 0;
    let claimedCharacters = 0;
    let claimedHash = 0;
    let documentHash = 0;
    visitRuns(this.#runs, 0, lengthOf(this.#runs), (piece, mark) => {
      let hash = 0;
      for (const end = place + piece.length; place < end; place++) hash += placeHash(place);
      documentHash += hash;
      if (!(mark as Mark).own) return;
      claimedCharacters += piece.length;
      claimedHash += hash;
    });
    return { ...this.#sums, claimedCharacters, claimedHash, documentHash };
  }

  #apply(change: Delta, own: boolean, onDeleted: (index: number, gone: Runs) => void): void {
    let done: Runs = null;
    let rest = this.#runs;
    for (const { insert, retain, delete: deleted, attributes } of change.ops) {
      if (typeof insert === 'string') {
        if (own) this.#sums.insertedCharacters += insert.length;
        done = concat(done, runsOf(insert, this.#mark(own, [])));
      } else if (deleted !== undefined) {
        const [gone, kept] = split(rest, deleted);
        onDeleted(lengthOf(done), gone);
        rest = kept;
      } else if (typeof retain === 'number') {
        const [piece, after] = split(rest, retain);
        done = concat(done, attributes === undefined ? piece : this.#format(piece, Object.keys(attributes), own));
        rest = after;
      }
    }
    this.#runs = concat(done, rest);
    this.#deletions = this.#deletions.map((deletion) => ({
      ...deletion,
      index: change.transformPosition(deletion.index, true),
    }));
  }

  /** Marks the formats as set by this user, or, where others set them, as no longer so. */
  #format(runs: Runs, names: readonly string[], own: boolean): Runs {
    let formatted: Runs = null;
    visitRuns(runs, 0, lengthOf(runs), (piece, attributes) => {
      const mark = attributes as Mark;
      const set = mark.formats === '' ? [] : mark.formats.split(' ');
      const kept = set.filter((name) => !names.includes(name));
      if (own) this.#sums.formattedCharacters += names.length * piece.length;
      else this.#sums.reformattedCharacters += (set.length - kept.length) * piece.length;
      formatted = concat(formatted, runsOf(piece, this.#mark(mark.own, own ? [...kept, ...names] : kept)));
    });
    return formatted;
  }

  /** What others insert just where this user deleted the same text. */
  #countRestored(change: Delta): void {
    let index = 0;
    for (const { insert, retain, delete: deleted } of change.ops) {
      if (typeof insert === 'string') {
        const found = this.#deletions.findIndex(({ index: at, text }) => at === index && insert.startsWith(text));
        if (found === -1) continue;
        this.#sums.restoredCharacters += this.#deletions[found]!.text.length;
        this.#deletions.splice(found, 1);
      } else index += Number(retain ?? deleted ?? 0);
    }
  }

  /** One object for each kind of run, kept as the tree keeps formats. */
  #mark(own: boolean, formats: readonly string[]): Mark {
    const names = [...formats].sort().join(' ');
    const key = `${own} ${names}`;
    const mark: Mark = this.#marks.get(key) ?? { own, formats: names };
    this.#marks.set(key, mark);
    return mark;
  }
}

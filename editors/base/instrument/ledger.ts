/**
 * Account of a user's own edits, as its own editor sees them: its characters in the document, and the fate of its others.
 * Every character is somebody's, so in the end all users' claims must cover the whole document, each place once. Characters
 * that others took from a user must have been deleted by somebody.
 *
 * An edit costs O(log n) in the length of the document, as in NoQuill, whose tree of runs this is.
 */
import Delta, { type Op } from 'quill-delta';
import { wholeCharacters } from '../binding/whole-characters.ts';
import type { Editor } from '../editor.ts';
import type { Attributes } from '../noquill/formats.ts';
import { changeRuns, insert, lengthOf, type Runs, remove, runsOf, visitRuns } from '../noquill/runs.ts';
import { type FormatAccount, Formattings } from './formattings.ts';

/** One user's account, in UTF-16 units unless it says otherwise. */
export interface EditAccount extends FormatAccount {
  /** Characters that the user's own edits put into the editor. */
  insertedCharacters: number;
  /** The `textHash` of that. */
  insertedHash: number;
  /** Characters that they took out: of the user's own, and of others'. */
  deletedCharacters: number;
  deletedOfOthersCharacters: number;
  /** The user's own that changes by others took out. */
  takenCharacters: number;
  /** Characters that the user's own edits had taken out and others' changes put back at the same place. */
  restoredCharacters: number;
  /**
   * Expected by chance: text that others put there which matches the user's previous deletion instead of this one. Many
   * users' typing in a short document often matches either.
   */
  restoredByChanceCharacters: number;
  /** The most by which one change of others made the document shorter. */
  mostVanishedCharacters: number;
  /** The user's own that are in the document now, and the sum of `placeHash` over their places. */
  claimedCharacters: number;
  claimedHash: number;
  /** The sum of `placeHash` over all places of the document: what all users' claims must add up to. */
  documentHash: number;
}

/**
 * With the first own key of each second, and after the last change: when, and how many characters of the document were this
 * user's before it, and how many others'. Those that this user deleted since the sample before are counted still: their authors
 * may not know yet. What all users had is what each should see: docs/latency.md.
 */
export type TextSample = [atMs: number, own: number, others: number];

/** Owner of a stretch. Runs with the same object join. */
type Mark = Attributes & { readonly own: boolean };

const OWN: Mark = { own: true };
const OTHERS: Mark = { own: false };

/** Deletions are remembered this long; what comes back later counts as new. */
const RESTORING_LIMIT_MS = 60_000;

const TEXT_SAMPLE_MS = 1000;

interface Deletion {
  index: number;
  text: string;
  atMs: number;
}

interface Piece {
  piece: string;
  mark: Mark;
}

/** Follows an editor from now on. Bindings that follow it later hear of each change later, whatever they do about it. */
export function followEdits(editor: Editor, nowMs: () => number = () => performance.now()): EditLedger {
  const ledger = new EditLedger(editor.getText());
  const given = watchGiven(editor);
  editor.on('editor-change', (name, ...details) => {
    if (name !== 'text-change') return;
    const [change, before, source] = details as [Delta, Delta, unknown];
    if (source === 'user') ledger.addOwn(wholeCharacters(change, before), nowMs());
    else ledger.addOthers(whereGiven(change, given(), editor), nowMs());
  });
  return ledger;
}

/** The change that `updateContents` is carrying out; null: none. */
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
  if (given === null || isSameText(change, given)) return change;
  const lengthBefore = editor.getLength() - change.changeLength();
  return given.changeLength() === change.changeLength() && reachOf(given) <= lengthBefore ? given : change;
}

function isSameText({ ops }: Delta, given: Delta): boolean {
  const isSameOp = ({ insert, retain, delete: deleted }: Op, index: number) => {
    const other = given.ops[index]!;
    return insert === other.insert && retain === other.retain && deleted === other.delete;
  };
  // Most changes are told as they were given, and then nothing needs to be written anew.
  if (ops.length === given.ops.length && ops.every(isSameOp)) return true;
  return JSON.stringify(textOf(new Delta(ops))) === JSON.stringify(textOf(given));
}

/** The text part of a change, without formats. */
function textOf({ ops }: Delta): Delta {
  return ops.reduce((text, { attributes: _formats, ...op }) => text.push(op), new Delta()).chop();
}

/** Length of the text before it that a change goes over. */
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

/** The same for a text, whatever the order of its letters: so keys and the changes that they made may be summed up apart. */
export function textHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash += placeHash(text.charCodeAt(index));
  return hash;
}

export class EditLedger {
  #runs: Runs;
  /** In the order in which they were made. */
  readonly #deletions: Deletion[] = [];
  /** A control group: each deletion's place with the text of the deletion before. What comes back of these does so by chance. */
  readonly #controls: Deletion[] = [];
  #deletedBefore: string | null = null;
  /** Characters of the document that are this user's. */
  #own = 0;
  readonly #samples: TextSample[] = [];
  /** Characters of others that this user had deleted by the last of them. */
  #deletedBySample = 0;
  /** When the document changed last. */
  #changedMs = 0;
  /** True until the first edit of a user who is to claim what it finds. */
  #claimsFound = false;
  readonly #formattings = new Formattings();
  readonly #sums = {
    insertedCharacters: 0,
    insertedHash: 0,
    deletedCharacters: 0,
    deletedOfOthersCharacters: 0,
    takenCharacters: 0,
    restoredCharacters: 0,
    restoredByChanceCharacters: 0,
    mostVanishedCharacters: 0,
  };

  constructor(text: string) {
    this.#runs = runsOf(text, OTHERS);
  }

  /** The end of the last line counts as this user's: a new document holds it, and somebody must be its author. */
  claimEnd(): void {
    const length = lengthOf(this.#runs);
    this.#runs = changeRuns(this.#runs, length - 1, length, (piece) => runsOf(piece, OWN));
    this.#own++;
  }

  /**
   * All that the document holds at this user's first edit counts as this user's, as others may have written it before. Not sooner: a
   * server may send it some time after the user has joined.
   */
  claimFound(): void {
    this.#claimsFound = true;
  }

  addOwn(change: Delta, atMs: number): void {
    this.#forget(atMs);
    if (this.#claimsFound) {
      this.#claimsFound = false;
      const length = lengthOf(this.#runs);
      this.#runs = changeRuns(this.#runs, 0, length, (piece) => runsOf(piece, OWN));
      this.#own = length;
    }
    this.#changedMs = atMs;
    if (atMs >= (this.#samples.at(-1)?.[0] ?? 0) + TEXT_SAMPLE_MS) {
      this.#samples.push(this.#sampleAt(atMs));
      this.#deletedBySample = this.#sums.deletedOfOthersCharacters;
    }
    this.#apply(change, true, (index, pieces) => {
      let text = '';
      for (const { piece, mark } of pieces) {
        text += piece;
        this.#sums.deletedCharacters += piece.length;
        if (mark.own) this.#own -= piece.length;
        else this.#sums.deletedOfOthersCharacters += piece.length;
      }
      this.#deletions.push({ index, text, atMs });
      if (this.#deletedBefore !== null) this.#controls.push({ index, text: this.#deletedBefore, atMs });
      this.#deletedBefore = text;
    });
    this.#formattings.add(change, atMs);
  }

  addOthers(change: Delta, atMs: number): void {
    this.#forget(atMs);
    this.#changedMs = atMs;
    this.#sums.restoredCharacters += takeRestored(this.#deletions, change);
    this.#sums.restoredByChanceCharacters += takeRestored(this.#controls, change);
    this.#sums.mostVanishedCharacters = Math.max(this.#sums.mostVanishedCharacters, -change.changeLength());
    this.#apply(change, false, (_index, pieces) => {
      for (const { piece, mark } of pieces) {
        if (!mark.own) continue;
        this.#sums.takenCharacters += piece.length;
        this.#own -= piece.length;
      }
    });
  }

  /** In the order of time; the last is of the last change. */
  textSamples(): readonly TextSample[] {
    // A moment later: a sample of that instant may be of what stood there before.
    return [...this.#samples, this.#sampleAt(this.#changedMs + 1)];
  }

  #sampleAt(atMs: number): TextSample {
    const deleted = this.#sums.deletedOfOthersCharacters - this.#deletedBySample;
    return [atMs, this.#own, lengthOf(this.#runs) - this.#own + deleted];
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
    return { ...this.#sums, ...this.#formattings.account, claimedCharacters, claimedHash, documentHash };
  }

  #apply(change: Delta, own: boolean, onDeleted: (index: number, gone: Piece[]) => void): void {
    let index = 0;
    for (const { insert: text, retain, delete: deleted, attributes } of change.ops) {
      if (typeof text === 'string') {
        if (own) {
          this.#sums.insertedCharacters += text.length;
          this.#sums.insertedHash += textHash(text);
          this.#own += text.length;
        }
        this.#runs = insert(this.#runs, index, text, own ? OWN : OTHERS);
        this.#shift((at) => (at > index ? at + text.length : at));
        index += text.length;
      } else if (deleted !== undefined) {
        const gone: Piece[] = [];
        visitRuns(this.#runs, index, index + deleted, (piece, mark) => gone.push({ piece, mark: mark as Mark }));
        this.#runs = remove(this.#runs, index, index + deleted);
        this.#shift((at) => (at > index ? Math.max(index, at - deleted) : at));
        onDeleted(index, gone);
      } else if (typeof retain === 'number') {
        if (attributes !== undefined && !own) this.#formattings.setAnew(index, index + retain, Object.keys(attributes));
        index += retain;
      }
    }
  }

  #shift(shift: (index: number) => number): void {
    for (const deletion of this.#deletions) deletion.index = shift(deletion.index);
    for (const control of this.#controls) control.index = shift(control.index);
    this.#formattings.shift(shift);
  }

  #forget(nowMs: number): void {
    for (const remembered of [this.#deletions, this.#controls]) {
      while (remembered.length > 0 && remembered[0]!.atMs <= nowMs - RESTORING_LIMIT_MS) remembered.shift();
    }
    this.#formattings.forget(nowMs);
  }
}

/** Takes out text that others insert just where the same text was deleted. @returns its length */
function takeRestored(deletions: Deletion[], change: Delta): number {
  let index = 0;
  let restored = 0;
  for (const { insert: inserted, retain, delete: deleted } of change.ops) {
    if (typeof inserted === 'string') {
      const found = deletions.findIndex(({ index: at, text }) => at === index && inserted.startsWith(text));
      if (found === -1) continue;
      restored += deletions[found]!.text.length;
      deletions.splice(found, 1);
    } else index += Number(retain ?? deleted ?? 0);
  }
  return restored;
}

/**
 * The fate of this user's sigils, as its own editor sees it: whole with their last key, and how soon another's edit broke
 * one. Nothing else distinguishes a lost sigil from one that somebody typed into. Edits that come just beside a sigil tell
 * how many of those breaks are chance; and a sigil that is not whole, though nobody's edit came near as it was typed, was torn.
 */
import type Delta from 'quill-delta';
import type { Editor } from '../editor.ts';
import { parseSigil, SIGIL_LENGTH } from '../sigils.ts';

/** A sigil that was whole with its last key, or torn. */
export interface OwnSigil {
  sigil: string;
  /** How long after its last key somebody else's edit broke it, ms; null: not while it was watched. */
  brokenAfterMs: number | null;
  /** How long after its last key somebody else's edit first came into it or within `NEAR` of it; null: not while it was watched. */
  nearAfterMs: number | null;
  /** How long after its last key the user's own edit broke it by chance, ms: a trace's edits know nothing of sigils. */
  ownAfterMs?: number;
  /** True if it was not whole with its last key, though nobody else's edit came near between its keys. */
  torn?: true;
}

/** A later break is hardly concurrent with the sigil any more. */
const WATCH_MS = 10_000;
/** The last ones are followed for longer: the user changes one after a period, when it has typed two more at most. */
const FOLLOWED = 3;
/** Edits that miss a sigil by so many UTF-16 units might as well have hit it. */
const NEAR = SIGIL_LENGTH;

interface Watched extends OwnSigil {
  index: number;
  typedMs: number;
}

/** The last keys of this user, one behind the other wherever each went. */
interface Keys {
  text: string;
  /** Where the next one is to go. */
  at: number;
  /** So many of them came since somebody else's edit was near. */
  undisturbed: number;
}

export interface OwnSigils {
  /** The sigils so far, in the order of typing. */
  all(): OwnSigil[];
  /** Where one of the last stands; null: it is not whole any more. */
  placeOf(sigil: string): number | null;
}

/** Follows an editor from now on. */
export function followOwnSigils(editor: Editor, nowMs: () => number = () => performance.now()): OwnSigils {
  const typed: Watched[] = [];
  let watched: Watched[] = [];
  let keys: Keys = { text: '', at: 0, undisturbed: 0 };
  editor.on('editor-change', (name, ...details) => {
    if (name !== 'text-change') return;
    const [change, , source] = details as [Delta, Delta, unknown];
    const atMs = nowMs();
    const isOwn = source === 'user';
    const [broken, whole] = [[] as Watched[], [] as Watched[]];
    for (const [at, sigil] of watched.entries()) {
      const ageMs = atMs - sigil.typedMs;
      const isWatched = ageMs <= WATCH_MS;
      if (!isWatched && at < watched.length - FOLLOWED) continue;
      const isTouched = isWatched && !isOwn && isNear(change, sigil.index, sigil.index + SIGIL_LENGTH);
      if (isTouched) sigil.nearAfterMs ??= ageMs;
      if (isWholeAfter(change, sigil, editor)) whole.push(sigil);
      else if (isWatched) broken.push(sigil);
    }
    for (const sigil of broken) {
      const afterMs = atMs - sigil.typedMs;
      // A break by the user itself is no concurrent edit; and a sigil that is deleted as a whole is meant to go.
      if (!isOwn) sigil.brokenAfterMs = afterMs;
      else if (change.ops.at(-1)?.delete !== SIGIL_LENGTH) sigil.ownAfterMs = afterMs;
    }
    watched = whole;
    keys = isOwn ? after(keys, change) : besides(keys, change);
    if (!isOwn || parseSigil(keys.text) === null) return;
    const index = keys.at - SIGIL_LENGTH;
    const isWhole = index >= 0 && editor.getText(index, SIGIL_LENGTH) === keys.text;
    if (!isWhole && keys.undisturbed < SIGIL_LENGTH) return;
    const sigil: Watched = { sigil: keys.text, brokenAfterMs: null, nearAfterMs: null, index, typedMs: atMs };
    typed.push(isWhole ? sigil : { ...sigil, torn: true });
    if (isWhole) watched.push(sigil);
  });
  return {
    all: () => typed.map(({ index: _index, typedMs: _typedMs, ...sigil }) => sigil),
    placeOf(sigil) {
      const found = watched.find((each) => each.sigil === sigil);
      return found !== undefined && editor.getText(found.index, SIGIL_LENGTH) === sigil ? found.index : null;
    },
  };
}

/** The last keys, once a change of the user's own is made. */
function after({ text, undisturbed }: Keys, { ops }: Delta): Keys {
  const at = typeof ops[0]?.retain === 'number' ? ops[0].retain : 0;
  const key = ops.at(at === 0 ? 0 : 1)?.insert;
  if (typeof key !== 'string' || key.length > 1) return { text: '', at, undisturbed: 0 };
  return { text: (text + key).slice(-SIGIL_LENGTH), at: at + 1, undisturbed: undisturbed + 1 };
}

/** The last keys, once somebody else's change is made. */
function besides({ text, at, undisturbed }: Keys, change: Delta): Keys {
  return { text, at: change.transformPosition(at), undisturbed: isNear(change, at, at) ? 0 : undisturbed };
}

/** True if a change puts anything in within `NEAR` of a stretch, or takes any of that out. */
function isNear(change: Delta, from: number, to: number): boolean {
  return touches(change, from - NEAR - 1, to + NEAR + 1);
}

/** Sets where the sigil is now. */
function isWholeAfter(change: Delta, watched: Watched, editor: Editor): boolean {
  const end = watched.index + SIGIL_LENGTH;
  const isTouched = touches(change, watched.index, end);
  const index = change.transformPosition(watched.index);
  if (!isTouched) {
    watched.index = index;
    return true;
  }
  // Among equal letters side by side, a change may name another than the one that came or went; the text decides.
  const text = editor.getText(index, change.transformPosition(end) - index);
  watched.index = index + text.indexOf(watched.sigil);
  return text.includes(watched.sigil);
}

/** True if a change puts anything into a stretch, or takes a part of it out. */
function touches({ ops }: Delta, from: number, to: number): boolean {
  let at = 0;
  for (const { insert, retain, delete: deleted = 0 } of ops) {
    if (at >= to) return false;
    if (insert === undefined ? at + deleted > from && deleted > 0 : at > from) return true;
    at += Number(retain ?? deleted);
  }
  return false;
}

/**
 * The fate of this user's sigils, as its own editor sees it: whole with their last key, and how soon another's edit broke
 * one. Nothing else distinguishes a lost sigil from one that somebody typed into.
 */
import type Delta from 'quill-delta';
import type { Editor } from '../editor.ts';
import { parseSigil, SIGIL_LENGTH } from '../sigils.ts';

/** A sigil that was whole with its last key. */
export interface OwnSigil {
  sigil: string;
  /** How long after its last key somebody else's edit broke it, ms; null: not while it was watched. */
  brokenAfterMs: number | null;
}

/** A later break is hardly concurrent with the sigil any more. */
const WATCH_MS = 10_000;
const LAST_KEY = '@';

interface Watched extends OwnSigil {
  index: number;
  typedMs: number;
}

/** Follows an editor from now on. @returns a function that gives the sigils so far, in the order of typing */
export function followOwnSigils(editor: Editor, nowMs: () => number = () => performance.now()): () => OwnSigil[] {
  const typed: Watched[] = [];
  let watched: Watched[] = [];
  editor.on('editor-change', (name, ...details) => {
    if (name !== 'text-change') return;
    const [change, , source] = details as [Delta, Delta, unknown];
    const atMs = nowMs();
    const [broken, whole] = [[] as Watched[], [] as Watched[]];
    for (const sigil of watched) {
      if (atMs - sigil.typedMs <= WATCH_MS) (isWholeAfter(change, sigil, editor) ? whole : broken).push(sigil);
    }
    // A break by the user itself is no concurrent edit.
    if (source !== 'user') for (const sigil of broken) sigil.brokenAfterMs = atMs - sigil.typedMs;
    const completed = source === 'user' ? completedBy(change, editor) : null;
    if (completed !== null) {
      typed.push({ ...completed, brokenAfterMs: null, typedMs: atMs });
      whole.push(typed.at(-1)!);
    }
    watched = whole;
  });
  return () => typed.map(({ sigil, brokenAfterMs }) => ({ sigil, brokenAfterMs }));
}

/** The sigil whose last key a change is, and where it begins. */
function completedBy({ ops }: Delta, editor: Editor): Pick<Watched, 'sigil' | 'index'> | null {
  const at = typeof ops[0]?.retain === 'number' ? ops[0].retain : 0;
  const index = at - SIGIL_LENGTH + 1;
  if (index < 0 || ops.at(at === 0 ? 0 : 1)?.insert !== LAST_KEY) return null;
  const sigil = editor.getText(index, SIGIL_LENGTH);
  return parseSigil(sigil) === null ? null : { sigil, index };
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

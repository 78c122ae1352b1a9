/**
 * The cost of an edit at NoQuill: it must not grow with the document. Of others' edits, with what a session adds to each for any
 * framework, too: the watch for sigils, and the ledger.
 */
import Delta, { type Op } from 'quill-delta';
import { followEdits } from '../instrument/ledger.ts';
import { watchSigils } from '../sigils.ts';
import { typeText } from './keys.ts';
import type { NoQuill } from './noquill.ts';
import { createNoQuillScreen } from './screen.ts';

/** Nanoseconds: the median over rounds. */
interface EditCost {
  /** A key at a new place: the cursor goes there, then the character is written; null beside a ledger, which these would fill. */
  keyNs: number | null;
  /** Another's edit, in a delta of its own. */
  remoteNs: number;
  /** One of `BATCH` in one delta, all over the document. */
  batchedNs: number;
}

interface BenchedEditor {
  characters: number;
  runs: number;
  hasWatch?: boolean;
  hasLedger?: boolean;
}

const ROUNDS = 61;
/** Few enough that a thousand characters stay about as many. */
const EDITS_PER_ROUND = 200;
/** The number of edits that 111 other users type in about 150 ms. */
const BATCH = 100;
/** As long as the longest traces, formatted in one of a hundred of their edits. */
const LARGE: BenchedEditor = { characters: 150_000, runs: 10_000 };
/** The user's own deletions of the last minute, which the ledger follows. */
const OWN_DELETIONS = 60;

const EDITORS: Readonly<Record<string, BenchedEditor>> = {
  '1,000 characters': { characters: 1000, runs: 1 },
  '150,000 characters': LARGE,
  'with the watch for sigils': { ...LARGE, hasWatch: true },
  'with both watch and ledger': { ...LARGE, hasWatch: true, hasLedger: true },
};

/** Takes some seconds. Prints nothing. */
export async function benchNoQuill(rounds = ROUNDS): Promise<Record<string, EditCost>> {
  const benched = Object.entries(EDITORS).map(([name, about]) => {
    return {
      name,
      about,
      editor: createEditor(about),
      key: [] as number[],
      remote: [] as number[],
      batched: [] as number[],
    };
  });
  // In turns, so that whatever else the machine does meets all alike.
  for (let round = 0; round < rounds; round++) {
    for (const { about, editor, key, remote, batched } of benched) {
      const places = placesIn(editor, round);
      if (!about.hasLedger) key.push(measureKeys(editor, places));
      remote.push(measureRemote(editor, places, 1));
      batched.push(measureRemote(editor, [editor.getLength() / (BATCH + 10)], BATCH));
      // The stamps of what was shown.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const median = (ns: number[]) => Math.round(ns.sort((a, b) => a - b)[rounds >> 1]!);
  const rows = benched.map(({ name, about, key, remote, batched }): [string, EditCost] => {
    const keyNs = about.hasLedger ? null : median(key);
    return [name, { keyNs, remoteNs: median(remote), batchedNs: median(batched) }];
  });
  return Object.fromEntries(rows);
}

function createEditor({ characters, runs, hasWatch = false, hasLedger = false }: BenchedEditor): NoQuill {
  const screen = createNoQuillScreen(null);
  const { editor } = screen;
  if (hasWatch) watchSigils(screen, () => {});
  if (hasLedger) followEdits(editor);
  const contents = new Delta();
  for (let run = 0; run < runs; run++) {
    contents.insert('x'.repeat(characters / runs), run % 2 === 1 ? { bold: true } : {});
  }
  editor.setContents(contents.insert('\n'));
  for (let nth = 1; nth <= OWN_DELETIONS && hasLedger; nth++) {
    editor.deleteText(Math.floor((nth * characters) / (OWN_DELETIONS + 1)), 1, 'user');
  }
  return editor;
}

/** A fixed walk through the document: each edit lands in another place. */
function placesIn(editor: NoQuill, round: number): number[] {
  const place = (nth: number) => ((round * EDITS_PER_ROUND + nth) * 7919) % (editor.getLength() - 1);
  return Array.from({ length: EDITS_PER_ROUND }, (_, nth) => place(nth));
}

function measureKeys(editor: NoQuill, places: readonly number[]): number {
  const press = (place: number) => {
    editor.setSelection(place);
    typeText(editor, 'a');
  };
  return timed(places, press, (place) => editor.deleteText(place, 1, 'user'));
}

/** @param inOne so many edits stand in one delta, each so far from the one before */
function measureRemote(editor: NoQuill, places: readonly number[], inOne: number): number {
  const change = (place: number, edit: Op) => {
    editor.updateContents(Array.from({ length: inOne }, () => [{ retain: Math.floor(place) }, edit]).flat(), 'api');
  };
  return (
    timed(
      places,
      (place) => change(place, { insert: 'a' }),
      (place) => change(place, { delete: 1 }),
    ) / inOne
  );
}

/** @returns ns for each place; the edits are taken back afterwards, so that the document stays as it is */
function timed(places: readonly number[], edit: (place: number) => void, takeBack: (place: number) => void): number {
  const startMs = performance.now();
  for (const place of places) edit(place);
  const spentMs = performance.now() - startMs;
  for (const place of places.toReversed()) takeBack(place);
  return (spentMs / places.length) * 1e6;
}

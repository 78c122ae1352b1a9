/** The cost that a session adds to each remote edit at NoQuill, for any framework: the watch for sigils, and the ledger. */
import Delta from 'quill-delta';
import { followEdits } from '../instrument/ledger.ts';
import { createNoQuillScreen } from '../noquill/screen.ts';
import { watchSigils } from '../sigils.ts';

/** Cost of one remote edit, in nanoseconds: the median over rounds. */
export interface RemoteEditCost {
  /** In a delta of its own. */
  aloneNs: number;
  /** One of `BATCH` in one delta, all over the document. */
  batchedNs: number;
}

const ROUNDS = 61;
const EDITS_PER_ROUND = 200;
/** The number of edits that 111 other users type in about 150 ms. */
const BATCH = 100;
const CHARACTERS = 150_000;
const RUNS = 10_000;
/** The user's own deletions of the last minute, which the ledger follows. */
const OWN_DELETIONS = 60;

/** Takes some seconds. Prints nothing. */
export async function benchSession(rounds = ROUNDS): Promise<Record<string, RemoteEditCost>> {
  const editors = {
    'editor alone': createEditor({ sigils: false, ledger: false }),
    'with the watch for sigils': createEditor({ sigils: true, ledger: false }),
    'with both watch and ledger': createEditor({ sigils: true, ledger: true }),
  };
  const costs = Object.values(editors).map(() => ({ alone: [] as number[], batched: [] as number[] }));
  // In turns, so that whatever else the machine does meets all alike.
  for (let round = 0; round < rounds; round++) {
    for (const [index, editor] of Object.values(editors).entries()) {
      costs[index]!.alone.push(measureAlone(editor, round));
      costs[index]!.batched.push(measureBatch(editor));
      // The stamps of what was shown.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const median = (ns: number[]) => Math.round(ns.sort((a, b) => a - b)[rounds >> 1]!);
  const rows = Object.keys(editors).map((name, index) => {
    const { alone, batched } = costs[index]!;
    return [name, { aloneNs: median(alone), batchedNs: median(batched) }];
  });
  return Object.fromEntries(rows);
}

type BenchEditor = ReturnType<typeof createEditor>;

function createEditor({ sigils, ledger }: { sigils: boolean; ledger: boolean }) {
  const screen = createNoQuillScreen(null);
  const { editor } = screen;
  if (sigils) watchSigils(screen, () => {});
  if (ledger) followEdits(editor);
  const contents = new Delta();
  for (let run = 0; run < RUNS; run++) {
    contents.insert('x'.repeat(CHARACTERS / RUNS), run % 2 === 1 ? { bold: true } : {});
  }
  editor.setContents(contents.insert('\n'));
  for (let nth = 1; nth <= OWN_DELETIONS; nth++) {
    editor.deleteText(Math.floor((nth * CHARACTERS) / (OWN_DELETIONS + 1)), 1, 'user');
  }
  return editor;
}

/** A fixed walk through the document: each edit lands in another place, and the document stays about as long. */
function measureAlone(editor: BenchEditor, round: number): number {
  const places = Array.from(
    { length: EDITS_PER_ROUND },
    (_, nth) => ((round * EDITS_PER_ROUND + nth) * 7919) % (CHARACTERS - EDITS_PER_ROUND),
  );
  const edits = places.map((place, nth) => [{ retain: place }, nth % 2 === 0 ? { insert: 'a' } : { delete: 1 }]);
  const startMs = performance.now();
  for (const edit of edits) editor.updateContents(edit, 'api');
  return ((performance.now() - startMs) / EDITS_PER_ROUND) * 1e6;
}

function measureBatch(editor: BenchEditor): number {
  const steps = Array.from({ length: BATCH }, () => ({ retain: Math.floor(CHARACTERS / (BATCH + 10)) }));
  const startMs = performance.now();
  editor.updateContents(
    steps.flatMap((step) => [step, { insert: 'b' }]),
    'api',
  );
  const spentMs = performance.now() - startMs;
  editor.updateContents(
    steps.flatMap((step) => [step, { delete: 1 }]),
    'api',
  );
  return (spentMs / BATCH) * 1e6;
}

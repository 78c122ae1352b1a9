/** The catalogued traces themselves; skipped unless they lie beside the project, which does not contain them. */

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sha256Of } from '../results/formats/digest.ts';
import { PlainEditor } from '../tests/traces/plain-editor.ts';
import { verifyTrace } from './cache.ts';
import { CATALOGUE } from './catalogue.ts';
import { describeTrace } from './describe.ts';
import { editsOf } from './edits.ts';
import { readTraceBytes } from './format.ts';

/** As the collection's own description counts them, and the files' `txns`, `patches` and `endContent` say. */
const COUNTS: Record<string, object> = {
  'automerge-paper': { authors: 1, patches: 259_778, insertedCharacters: 182_315, deletedCharacters: 77_463 },
  sveltecomponent: { authors: 1, transactions: 18_335, endCharacters: 18_451 },
  friendsforever: { authors: 2, patches: 26_078, endCharacters: 21_362 },
};

describe.each(CATALOGUE)('$name', ({ name, address, sha256 }) => {
  const file = fileURLToPath(new URL(`../../shared/traces/${basename(address)}`, import.meta.url));

  test.skipIf(!existsSync(file))('is what the catalogue says, replays, and its edits rebuild it', async () => {
    const bytes = await readTraceBytes(file);
    expect(sha256Of(bytes)).toBe(sha256);
    const trace = await verifyTrace(bytes, file);
    expect(describeTrace(trace)).toMatchObject(COUNTS[name]!);
    // A concurrent trace's authors depend on each other: see concurrent.test.ts.
    if (trace.kind === 'concurrent' || trace.txns.length > 50_000) return;
    const editor = new PlainEditor();
    for (const edit of editsOf(trace)[0]!) editor.perform(edit);
    expect(editor.text).toBe(trace.endContent);
  });
});

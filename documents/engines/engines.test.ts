import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeAll } from '../replay/describe.ts';
import { describeEngines } from '../replay/engines.ts';
import type { EngineDocument } from './engine.ts';
import { bytesOf, drawIdentities, lettersOf, wholeNumberOf } from './identity.ts';
import { loadEngine, ownEngineNames } from './load.ts';

interface RandomEdit {
  at: number;
  deleted: number;
  inserted: string;
}

const edits = (unit: 'grapheme' | 'grapheme-ascii') =>
  fc.array(fc.record({ at: fc.nat(1000), deleted: fc.nat(3), inserted: fc.string({ unit, maxLength: 4 }) }), {
    maxLength: 30,
  });

/** Makes an edit within the text, at whole characters, in a document and in the text. */
function make(document: EngineDocument, text: string, { at, deleted, inserted }: RandomEdit): string {
  const characters = Array.from(text);
  const from = characters.length === 0 ? 0 : at % (characters.length + 1);
  const gone = characters.slice(from, from + deleted).join('');
  const position = characters.slice(0, from).join('').length;
  if (gone !== '' || inserted !== '') document.edit(position, gone.length, inserted);
  return text.slice(0, position) + inserted + text.slice(position + gone.length);
}

const names = await ownEngineNames();

test('the engines are those of the folder', () => {
  expect(names).toEqual(expect.arrayContaining(['automerge', 'loro', 'rga', 'string', 'yata', 'yjs']));
  expect(names).not.toContain('engine');
});

test('an engine that is not there is named, with those that are', async () => {
  await expect(loadEngine('yjss')).rejects.toThrow(/there is no engine "yjss"; there are: automerge, /);
});

test('what is kept of each, so that no list loads them, is as it is; npm run docs writes it', async () => {
  const kept = (await describeEngines()).filter(({ isNative }) => !isNative);
  for (const { version } of kept) expect(version).toMatch(/^\d+\.\d+/);
  expect(kept.map(({ version: _, isNative: __, ...engine }) => engine)).toEqual(await describeAll());
});

describe.each(names)('%s', (name) => {
  test('holds what was typed, and tells it to others, who merge it', async () => {
    const engine = await loadEngine(name);
    await fc.assert(
      fc.asyncProperty(edits('grapheme-ascii'), async (all) => {
        const document = await engine.open({ identity: 0.3, updates: true });
        const other = await engine.open({ identity: 0.7, updates: true });
        const updates: Uint8Array[] = [];
        let text = '';
        for (const edit of all) {
          const next = make(document, text, edit);
          if (next !== text || edit.inserted !== '') {
            if (document.takeUpdate !== undefined) updates.push(document.takeUpdate());
          }
          text = next;
        }
        expect(document.text()).toBe(text);
        if (other.receive !== undefined && document.takeUpdate !== undefined) {
          for (const update of updates) other.receive([update]);
          expect(other.text()).toBe(text);
        }
        document.free?.();
        other.free?.();
      }),
      { numRuns: 25 },
    );
  });

  test('characters of two units stay whole', async () => {
    const engine = await loadEngine(name);
    if (engine.about.wideCharacters === false) return;
    await fc.assert(
      fc.asyncProperty(edits('grapheme'), async (all) => {
        const document = await engine.open({ identity: 0.3, updates: false });
        const text = all.reduce((so, edit) => make(document, so, edit), '');
        expect(document.text()).toBe(text);
        document.free?.();
      }),
      { numRuns: 15 },
    );
  });

  test('others’ characters of two units stand where they are counted', async () => {
    const engine = await loadEngine(name);
    if (engine.about.wideCharacters === false) return;
    const writer = await engine.open({ identity: 0.3, updates: true });
    const other = await engine.open({ identity: 0.7, updates: true });
    if (writer.takeUpdate === undefined || other.receive === undefined) return;
    writer.edit(0, 0, '😀😀yz');
    other.receive([writer.takeUpdate()]);
    other.edit(4, 1, 'x');
    expect(other.text()).toBe('😀😀xz');
  });

  test('what was saved comes back, and the same edits give the same bytes', async () => {
    const engine = await loadEngine(name);
    const document = await engine.open({ identity: 0.3, updates: false });
    const twin = await engine.open({ identity: 0.3, updates: false });
    for (const each of [document, twin]) {
      for (let index = 0; index < 20; index++) each.edit(index, 0, 'a');
      each.edit(3, 5, 'bcd');
    }
    const encodings = document.save?.() ?? [];
    expect(new Set(encodings.map((encoding) => encoding.name)).size).toBe(encodings.length);
    for (const [index, { bytes }] of (twin.save?.() ?? []).entries()) expect(bytes).toEqual(encodings[index]!.bytes);
    for (const encoding of encodings) expect(document.save!(encoding.name)).toEqual([encoding]);
    if (engine.load === undefined) return;
    expect((await engine.load(encodings[0]!.bytes)).text()).toBe(document.text());
  });

  test('all edits in one transaction give the same text', async () => {
    const engine = await loadEngine(name);
    const document = await engine.open({ identity: 0.3, updates: false });
    if (document.together === undefined) return;
    document.together((edit) => {
      edit(0, 0, 'one two');
      edit(3, 1, '-');
      edit(0, 3, 'o');
    });
    expect(document.text()).toBe('o-two');
  });

  test('replicas that typed at once end alike, with all that was typed', async () => {
    const engine = await loadEngine(name);
    if (engine.about.merges === false) return;
    const [a, b] = [
      await engine.open({ identity: 0.3, updates: true }),
      await engine.open({ identity: 0.7, updates: true }),
    ];
    if (a.receive === undefined || a.takeUpdate === undefined) return;
    a.edit(0, 0, 'base');
    b.receive!([a.takeUpdate()]);
    const typed = (document: EngineDocument, position: number, text: string) =>
      Array.from(text, (character, index) => {
        document.edit(position + index, 0, character);
        return document.takeUpdate!();
      });
    const fromA = typed(a, 2, 'xyz');
    const fromB = typed(b, 2, '123');
    a.receive(fromB);
    b.receive!(fromA);
    expect(a.text()).toBe(b.text());
    expect(['baxyz123se', 'ba123xyzse']).toContain(a.text());
  });
});

test('identities are of the width that is asked for, in the order of their numbers, and the same for the same seed', () => {
  const drawn = drawIdentities(7, 200).sort((a, b) => a - b);
  expect(drawIdentities(7, 200).sort((a, b) => a - b)).toEqual(drawn);
  const kinds = drawn.map((identity) => [
    wholeNumberOf(identity, 53).toString().padStart(16, '0'),
    bytesOf(identity, 16).toString('hex'),
    lettersOf(identity, 10, '059AZaz'),
  ]);
  for (const kind of [0, 1, 2]) {
    const written = kinds.map((all) => all[kind]!);
    expect(written).toEqual([...new Set(written)].sort());
    expect(new Set(written.map(({ length }) => length))).toEqual(new Set([[16, 32, 10][kind]]));
  }
});

test('an update of Yjs names a client of 32 bits, as a real user’s does', async () => {
  const { open } = await loadEngine('yjs');
  const document = await open({ identity: 0.5, updates: true });
  document.edit(0, 0, 'a');
  document.edit(1, 0, 'b');
  // With client 1 it takes 10 bytes.
  expect(document.takeUpdate!().length).toBe(18);
});

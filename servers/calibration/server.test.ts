/** Client and server of the calibration, with NoQuill in this process: each defect is there, and none that is not told. */
import { afterEach, expect, test } from 'vitest';
import type { Editor } from '../../editors/base/editor.ts';
import { type Defects, defectsOf, documentNameOf } from '../../editors/calibration/defects.ts';
import { serveUsers } from '../../tests/served-users.ts';
import { burn } from './burn.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** Two users at a document. @returns what one types, and how long it takes to type it, and until the other has it */
async function typeWith(defects: Partial<Defects>): Promise<{ ownMs: number; arrivedMs: number; text: string }> {
  const [writer, watcher] = await joinBoth(defects);
  const startMs = performance.now();
  writer.insertText(0, 'x', 'user');
  const ownMs = performance.now() - startMs;
  await expect.poll(() => watcher.getLength(), { interval: 1 }).toBe(2);
  return { ownMs, arrivedMs: performance.now() - startMs, text: watcher.getText() };
}

async function joinBoth(defects: Partial<Defects>): Promise<[writer: Editor, watcher: Editor]> {
  const served = await serveUsers('calibration', documentNameOf(defects));
  ended.push(async () => {
    expect(served.users.flatMap(({ lost }) => lost)).toEqual([]);
    await served.close();
  });
  const [writer, watcher] = [await served.join(), await served.join()];
  return [writer.editor, watcher.editor];
}

test('a name tells of its defects; one of a defect that is none is refused', () => {
  expect(defectsOf(documentNameOf({ keyMs: 20, bytes: 1000 }))).toMatchObject({ keyMs: 20, bytes: 1000, holdMs: 0 });
  expect(defectsOf('calibration-optquill-2-1')).toEqual(defectsOf('calibration'));
  expect(() => defectsOf('calibration~keysMs=20')).toThrow('keysMs');
});

test('the binding is busy at each key of one’s own', async () => {
  expect((await typeWith({ keyMs: 150 })).ownMs).toBeGreaterThanOrEqual(150);
});

test('the server holds messages, the watcher is busy at each, and neither keeps the writer', async () => {
  const { arrivedMs, text } = await typeWith({ holdMs: 200, editMs: 100 });
  expect(arrivedMs).toBeGreaterThanOrEqual(298);
  expect(text).toBe('x\n');
});

test('every so many-th message of a user comes late, and what it typed after that waits for it', async () => {
  const [writer, watcher] = await joinBoth({ lateEvery: 2, lateMs: 300 });
  const startMs = performance.now();
  for (const [index, key] of [...'abc'].entries()) writer.insertText(index, key, 'user');
  await expect.poll(() => watcher.getText(), { interval: 1 }).toBe('a\n');
  await expect.poll(() => watcher.getText(), { interval: 1 }).toBe('abc\n');
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(298);
});

test('who types second loses all but the first messages, and nobody else does', async () => {
  const [writer, watcher] = await joinBoth({ lostAfter: 2 });
  for (const [index, key] of [...'abc'].entries()) writer.insertText(index, key, 'user');
  await expect.poll(() => watcher.getText(), { interval: 1 }).toBe('ab\n');
  for (const [index, key] of [...'123'].entries()) watcher.insertText(index, key, 'user');
  await expect.poll(() => writer.getText(), { interval: 1 }).toBe('123abc\n');
  expect(watcher.getText()).toBe('123ab\n');
});

test.each<[keyof Defects, (editor: Editor) => void]>([
  ['deletionMs', (editor) => editor.deleteText(0, 1, 'user')],
  ['formatMs', (editor) => editor.formatText(0, 1, { bold: true }, 'user')],
])('of what is typed, only the kind that %s names comes late', async (defect, change) => {
  const [writer, watcher] = await joinBoth({ [defect]: 300 });
  writer.insertText(0, 'abc', 'user');
  const startMs = performance.now();
  change(writer);
  // Held as long, both would come at once. How soon the text comes is the machine's doing, too.
  await expect.poll(() => watcher.getContents().ops, { interval: 1 }).toEqual([{ insert: 'abc\n' }]);
  await expect.poll(() => watcher.getContents(), { interval: 1 }).toEqual(writer.getContents());
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(298);
});

test('padded messages are the same document', async () => {
  expect((await typeWith({ bytes: 1000, serverKiB: 1, pageMiB: 1, childMs: 1 })).text).toBe('x\n');
});

test('what is burnt is this process’s CPU time', () => {
  const before = process.cpuUsage();
  burn(50);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeGreaterThanOrEqual(50);
});

/** The text that a screen shows, and the sigils that it reports. */
import type { Editor, Screen } from '../../editors/base/editor.ts';
import { type SigilChange, watchSigils } from '../../editors/base/sigils.ts';
import { type EditorCase, expectEqual, opsOf, SAMPLE } from './assertions.ts';

export const SHOWING_CASES: readonly EditorCase[] = [
  {
    name: 'the screen shows the text, without what marks a chosen format',
    run(makeScreen) {
      const screen = makeScreen();
      screen.editor.setContents(opsOf(SAMPLE));
      expectEqual(screen.text(), 'plain bold end\nTitle\none\ntwo\n\n');
      screen.editor.setSelection(2, 0);
      screen.editor.format('bold', true, 'user');
      expectEqual(screen.text(), 'plain bold end\nTitle\none\ntwo\n\n');
    },
  },
  {
    name: 'a sigil is reported once, when its last character shows',
    async run(makeScreen) {
      const screen = makeScreen();
      const shown = await shownSigils(screen, [
        (editor) => editor.insertText(0, 'see 0a@f'),
        (editor) => editor.insertText(8, '3'),
        (editor) => editor.insertText(9, ' and more'),
      ]);
      expectEqual(shown, [[], ['0a@f3'], []]);
    },
  },
  {
    name: 'a sigil that is moved, split off, joined or formatted is not new; a second one and a mended one are',
    async run(makeScreen) {
      const shown = await shownSigils(makeScreen(), [
        (editor) => editor.setContents([{ insert: 'first\nzz 0a@f3 1b@00 yy\n' }]),
        (editor) => editor.formatLine(8, 0, { header: 1 }),
        (editor) => editor.formatLine(8, 0, { list: 'bullet' }),
        (editor) => editor.formatText(8, 4, { bold: true }),
        (editor) => editor.insertText(14, '\n'),
        (editor) => editor.deleteText(14, 1),
        (editor) => editor.deleteText(5, 1),
        (editor) => editor.insertText(0, '0a@f3 '),
        (editor) => editor.insertText(2, '-'),
        (editor) => editor.deleteText(2, 1),
      ]);
      expectEqual(shown, [['0a@f3', '1b@00'], [], [], [], [], [], [], ['0a@f3'], [], ['0a@f3']]);
    },
  },
  {
    name: 'a sigil of which a part is taken, or formatted, has changed; one beside it has not',
    async run(makeScreen) {
      const shown = await shownSigils(
        makeScreen(),
        [
          (editor) => editor.setContents([{ insert: 'first 0a@f3 1b@00 2c@00 3d@00\n' }]),
          (editor) => editor.deleteText(7, 1),
          (editor) => editor.formatText(3, 10, { bold: true }),
          (editor) => editor.formatLine(3, 0, { header: 1 }),
          (editor) => editor.deleteText(17, 6),
          (editor) => editor.insertText(19, '-'),
        ],
        (sigil, change) => `${sigil} ${change}`,
      );
      const changes = [['0a@f3 deleted'], ['1b@00 formatted'], [], ['2c@00 deleted'], ['3d@00 deleted']];
      expectEqual(shown, [['0a@f3', '1b@00', '2c@00', '3d@00'], ...changes]);
    },
  },
];

/**
 * The sigils that each step shows: two frames after it at the latest, or where there are none, a task.
 *
 * @param tellChange tells of one that a step changed; absent: nobody asks
 */
async function shownSigils(
  screen: Screen,
  steps: ((editor: Editor) => void)[],
  tellChange?: (sigil: string, change: SigilChange) => string,
): Promise<string[][]> {
  let shown: string[] = [];
  watchSigils(
    screen,
    (sigil) => shown.push(sigil),
    tellChange && ((sigil, change) => shown.push(tellChange(sigil, change))),
  );
  const all: string[][] = [];
  for (const step of steps) {
    shown = [];
    step(screen.editor);
    await twoFrames();
    all.push(shown);
  }
  return all;
}

async function twoFrames(): Promise<void> {
  const hasFrames = typeof requestAnimationFrame !== 'undefined';
  for (let frame = 0; hasFrames && frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve, 0));
}

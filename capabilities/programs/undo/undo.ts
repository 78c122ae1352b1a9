/** Undo: the user's own last edit goes, others' later edits stay. */
import { type Check, judge, type Outcome } from '../outcome.ts';
import type { Stage } from '../stage.ts';

/** Undo and redo are of its own edits. */
export interface UndoableText {
  insert(position: number, text: string): void;
  undo(): void;
  redo(): void;
  text(): string;
}

/** @param more further observations */
export async function undoesOwn(
  open: (text: string) => Stage<UndoableText> | Promise<Stage<UndoableText>>,
  more: readonly Check[] = [],
): Promise<Outcome> {
  const { replicas, exchange, close } = await open('one two');
  const [mine, theirs] = replicas;
  const texts: string[] = [];
  const meet = async () => {
    await exchange();
    texts.push(`${mine.text()} | ${theirs.text()}`);
  };
  mine.insert(3, ' mine');
  await meet();
  theirs.insert(0, 'theirs ');
  theirs.insert('theirs one mine'.length, ' between');
  await meet();
  mine.undo();
  await meet();
  mine.redo();
  await meet();
  await close?.();
  const [, , undone, redone] = texts;
  return judge([
    {
      holds: undone === 'theirs one between two | theirs one between two',
      otherwise: `undo after another’s edits gives "${undone}"`,
      isEssential: true,
    },
    {
      holds: redone === 'theirs one mine between two | theirs one mine between two',
      otherwise: `redo gives "${redone}"`,
    },
    ...more,
  ]);
}

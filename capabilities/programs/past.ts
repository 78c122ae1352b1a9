/** Undo and history. */
import { type Check, judge, type Outcome, type Stage } from './outcome.ts';

/** Undo and redo are of its own edits. */
export interface UndoableText {
  insert(position: number, text: string): void;
  undo(): void;
  redo(): void;
  text(): string;
}

/**
 * The user's own last edit goes; the one before it and others' later edits stay.
 *
 * @param more further observations
 */
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
  mine.insert(3, ' my');
  await meet();
  mine.insert('one my'.length, ' mine');
  await meet();
  theirs.insert(0, 'theirs ');
  theirs.insert('theirs one my mine'.length, ' between');
  await meet();
  mine.undo();
  await meet();
  mine.redo();
  await meet();
  await close?.();
  const [, , , undone, redone] = texts;
  return judge([
    {
      holds: undone === 'theirs one my between two | theirs one my between two',
      otherwise: `undo after another’s edits gives "${undone}"`,
      isEssential: true,
    },
    {
      holds: redone === 'theirs one my mine between two | theirs one my mine between two',
      otherwise: `redo gives "${redone}"`,
    },
    ...more,
  ]);
}

export interface HistoryStage<Version> {
  /** In the place of all that is there. */
  write(text: string): void | Promise<void>;
  version(): Version;
  textAt(version: Version): string | Promise<string>;
  text(): string;
  close?(): Promise<void>;
}

/** Looks at an earlier state, whose text is deleted since. */
export async function looksBack<Version>(
  open: () => HistoryStage<Version> | Promise<HistoryStage<Version>>,
  more: readonly Check[] = [],
): Promise<Outcome> {
  const { write, version, textAt, text, close } = await open();
  await write('first');
  const first = version();
  await write('second');
  const second = version();
  await write('third');
  const seen = [await textAt(first), await textAt(second)];
  const present = text();
  await close?.();
  return judge([
    {
      holds: seen[0] === 'first' && seen[1] === 'second',
      otherwise: `earlier states are "${seen.join('", "')}"`,
      isEssential: true,
    },
    { holds: present === 'third', otherwise: `after looking back the present text is "${present}"` },
    ...more,
  ]);
}

/** Looking at an earlier state, whose text is deleted since. */
import { type Check, judge, type Outcome } from '../outcome.ts';

export interface HistoryStage<Version> {
  /** In the place of all that is there. */
  write(text: string): void | Promise<void>;
  version(): Version;
  textAt(version: Version): string | Promise<string>;
  text(): string;
  close?(): Promise<void>;
}

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

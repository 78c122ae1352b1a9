/** The messages of a run's cells, each once, with the names of its cells. */
import { plainText } from '../../results/foreign-text.ts';
import type { Message } from '../../results/formats/verdict.ts';
import { wrapWords } from '../../results/text-table.ts';
import { aboutCell, SPEEDS_DIFFER, sentenceOf } from '../cell/messages.ts';
import { countOf, enumerate } from '../figures/figure-text.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { nameOf } from '../scenarios/cell-name.ts';

/** The most cells that a line lists by name. */
const LISTED = 4;

/** Before a message, by its rank. */
const SIGNS = { decides: '✗', care: '!', record: 'i' } as const;

/** Reasons and notes as a list. */
export function describeCells(run: MeasuredRun, bullet: string): string {
  return messagesOf(run)
    .map(({ who, message }) => `${bullet}${who}: ${message}`)
    .join('\n');
}

/**
 * The messages for a terminal, those that change the answer first: ✗ does, ! asks for care. The report has the rest, which
 * is for the record.
 */
export function describeRanks(run: MeasuredRun, width: number): string {
  const ranked = Map.groupBy(messagesOf(run), ({ rank }) => rank);
  const lines = (['decides', 'care'] as const).flatMap((rank) =>
    (ranked.get(rank) ?? []).map(({ who, message }) => wrapWords(`${SIGNS[rank]} ${who}: ${message}`, width, 2)),
  );
  const rest = ranked.get('record')?.length ?? 0;
  const count = `${SIGNS.record} ${countOf(rest, 'note')} for the record: see the report`;
  return [...lines, ...(rest === 0 ? [] : [count])].join('\n');
}

/** Each sentence once, with its cells; of machines whose speed differed, the first few. */
function messagesOf(run: MeasuredRun): { who: string; message: string; rank: Message['rank'] }[] {
  const told = run.cells.flatMap((cell) => {
    const validity = aboutCell('partly-valid', 'decides', `${cell.validTrials} of ${cell.trials} trials are valid`);
    return [...(cell.verdict === 'partly valid' ? [validity] : []), ...cell.messages].map((message) => ({
      name: nameOf(run, cell),
      // Of what a page threw, without its stack.
      message: plainText(sentenceOf(message).split('\n', 1)[0]!),
      rank: message.rank,
      code: message.code,
    }));
  });
  const sentences = [...Map.groupBy(told, ({ message }) => message).values()];
  const speeds = sentences.filter(([first]) => first!.code === SPEEDS_DIFFER);
  const left = speeds.slice(LISTED);
  return sentences
    .filter((group) => !left.includes(group))
    .map((group) => {
      const { message, rank } = group[0]!;
      const names = group.map(({ name }) => name);
      const alike = left.length > 0 && group === speeds[LISTED - 1];
      return {
        who: enumerate(names, { most: LISTED, between: '; ' }),
        message: alike ? `${message}; alike in ${countOf(left.flat().length, 'more cell')}` : message,
        rank,
      };
    });
}

/** What `compare` said of a version against itself, in Markdown: every change that it claims is false. */
import { countOf } from '../../analysis/charts/numbers.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { conditionsOf, wrap } from './comparison.ts';
import type { MeasuredWords } from './measured.ts';

export const AGAINST_ITSELF = 'against-itself';

/** What each word means where nothing has changed. */
const MEANINGS: Readonly<Record<string, string>> = {
  faster: 'false',
  slower: 'false',
  less: 'false',
  more: 'false',
  'may be chance': 'would be false without the correction',
  'no difference found': 'right',
  'too noisy to tell': 'undecided',
};

export function falseWordsMarkdown(run: MeasuredWords): string {
  const words = run.cells.flatMap(({ figures }) => figures.map(({ word }) => word));
  const pairs = run.cells.map((cell) => `${cell.framework} ${cell.mode}, ${cell.users} users: ${cell.pairs}`);
  const counts = Map.groupBy(words, (word) => word);
  const falseWords = words.filter((word) => MEANINGS[word] === 'false').length;
  return [
    wrap(
      `On ${conditionsOf(run)}. Pairs that count: ${pairs.join('; ')}. Of ${countOf(words.length, 'comparison')} ${falseWords} gave a false word:`,
    ),
    markdownTable(
      ['word', 'comparisons', 'which is'],
      [...counts].map(([word, all]) => [word, String(all.length), MEANINGS[word] ?? 'nothing said']),
    ),
  ].join('\n\n');
}

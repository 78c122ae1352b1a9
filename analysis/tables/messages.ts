/** Reasons and notes of cells as lines, for the terminal and for pages. */
import type { AnySummary } from '../cell/cell.ts';
import { enumerate } from '../figures/figure-text.ts';

/** So many cells stand by name in one line. */
const LISTED = 4;

/** Each message once, with the names of its cells: of what a page threw, without its stack. */
export function describeMessages(cells: readonly { name: string; summary: AnySummary }[], bullet: string): string {
  const messages = cells.flatMap(({ name, summary: { verdict, validTrials, trials, reasons, notes } }) => {
    const validity = verdict === 'partly valid' ? [`${validTrials} of ${trials} trials are valid`] : [];
    return [...validity, ...reasons, ...notes].map((text) => ({ name, message: text.split('\n', 1)[0]! }));
  });
  return [...Map.groupBy(messages, ({ message }) => message)]
    .map(([message, group]) => {
      const names = group.map(({ name }) => name);
      return `${bullet}${enumerate(names, { most: LISTED, between: '; ' })}: ${message}`;
    })
    .join('\n');
}

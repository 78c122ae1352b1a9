/** For tests: what the lines of a trial's record tell. */
import type { RecordLine } from '../../results/formats/records.ts';

/** @returns its figures by name, and the codes of its notes */
export function toldBy(lines: readonly RecordLine[]): { figures: Record<string, number>; notes: string[] } {
  const figures = lines.filter((line) => line.type === 'figure').map(({ figure, value }) => [figure, value] as const);
  const notes = lines.filter((line) => line.type === 'note').map(({ code }) => code);
  return { figures: Object.fromEntries(figures), notes };
}

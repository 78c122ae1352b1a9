/** Lines of a trial's record, as tests read them. */
import type { RecordLine } from '../../results/formats/records.ts';

/** The figures by their names, and the codes of the notes. */
export function toldIn(lines: readonly RecordLine[]): { figures: Record<string, number>; notes: string[] } {
  return {
    figures: Object.fromEntries(lines.flatMap((line) => (line.type === 'figure' ? [[line.figure, line.value]] : []))),
    notes: lines.flatMap((line) => (line.type === 'note' ? [line.code] : [])),
  };
}

/** Turns of several subjects in one process: a machine that changes its speed meets all alike, and none's failure is another's. */
import { nowMs } from '../infra/clock.ts';
import type { DocumentScenario } from '../results/formats/documents.ts';
import { type RecordLine, SCHEMA_VERSION } from '../results/formats/records.ts';
import { figureLines, printLines } from './measurement.ts';
import { SubjectFailure } from './scenario.ts';

/** One subject in the process. */
export interface Side {
  /** Of an engine or a framework. */
  name: string;
  lines: RecordLine[];
  /** True: it did not do its task, and takes no further turn. */
  isOut: boolean;
}

export function sideOf(name: string): Side {
  return { name, lines: [], isOut: false };
}

export function isIn({ isOut }: Side): boolean {
  return !isOut;
}

/**
 * The order changes with each turn, and with each trial: in a trial's process, the subject that is loaded first has another place in
 * memory and in the compiler's order, which no repetition there evens out.
 */
export function inOrderOf<Of>(subjects: readonly Of[], turn: number): readonly Of[] {
  return turn % 2 === 0 ? subjects : subjects.toReversed();
}

/** Does it for each side that is not out; one's failure is no other's. */
export async function each<Of extends Side>(
  sides: readonly Of[],
  act: (side: Of) => void | Promise<void>,
): Promise<void> {
  for (const side of sides) {
    if (side.isOut) continue;
    try {
      await act(side);
    } catch (error) {
      if (!(error instanceof SubjectFailure)) throw error;
      side.isOut = true;
      side.lines.push({ type: 'failure', code: error.code, message: error.message });
    }
  }
}

export function tell(side: Side, figures: Readonly<Record<string, number | null>>): void {
  side.lines.push(...figureLines(figures));
}

/** Hands in the lines of all; a line `subject` stands before each one's. `TrialsInTurns` reads them. */
export function printSides(scenario: DocumentScenario, sides: readonly Side[]): void {
  const about = { type: 'subject', schemaVersion: SCHEMA_VERSION, scenario, version: '' } as const;
  for (const { name, lines } of sides) printLines({ ...about, of: { engine: name }, atMs: nowMs() }, ...lines);
}

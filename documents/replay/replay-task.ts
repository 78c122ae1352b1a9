/** What the process of one replay is told. */
export interface ReplayTask {
  engine: string;
  observe: 'updates' | 'edits' | 'once';
  /** The file of edits; of a concurrent trace, of steps. */
  edits: string;
  isConcurrent: boolean;
  /** The first character of two UTF-16 units that the trace has; null: none. */
  wideCharacter: string | null;
  /** How many edits the whole trace has, where the engine is given fewer. */
  ofEdits: number;
  /** The engine may take so long for all edits. */
  limitMs: number;
  /** At most so long are updates applied at a second replica, twice; 0: they are not. */
  remoteMs: number;
}

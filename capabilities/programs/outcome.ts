/** A program's outcome for a library: the mark follows from its observations, never from knowledge of the library. */

export type Mark = 'yes' | 'partly' | 'no' | 'not offered';

export interface Outcome {
  mark: Mark;
  /** The missing part, or the interface that was looked for; with every mark but yes. */
  why?: string;
}

/** An error that it throws is a failure of the program, and no mark. */
export type Program = (capability: string, library: string) => Outcome | Promise<Outcome>;

/** Programs of a library; several capabilities may share one. */
export type ProgramName =
  | 'text'
  | 'rich-text'
  | 'undo'
  | 'nested-data'
  | 'list-move'
  | 'presence'
  | 'history'
  | 'partial-load';

export type Programs = Readonly<Partial<Record<ProgramName, Program>>>;

/** Two replicas of one document, which edit apart and meet. */
export interface Stage<Replica> {
  /** With the same content, and identities in ascending order. */
  replicas: [Replica, Replica];
  /** Each gets what it lacks of the other's. */
  exchange(): void | Promise<void>;
  close?(): Promise<void>;
}

/** Something that a program looked at. */
export interface Check {
  holds: boolean;
  /** The observation if it does not hold. */
  otherwise: string;
  /** Without it all else counts for nothing. */
  isEssential?: boolean;
  /** If it does not hold by itself, an application can make it hold by naming more. */
  isHalf?: boolean;
}

/** ✓ if all hold, ✗ if none does, not even by half, or an essential one does not; else ½. With all that did not hold. */
export function judge(checks: readonly Check[]): Outcome {
  const failed = checks.filter(({ holds }) => !holds);
  if (failed.length === 0) return { mark: 'yes' };
  const holdsNowhere = checks.every(({ holds, isHalf }) => !holds && isHalf !== true);
  const isLost = holdsNowhere || failed.some(({ isEssential }) => isEssential === true);
  const why = [...new Set(failed.map(({ otherwise }) => otherwise))].join('; ');
  return { mark: isLost ? 'no' : 'partly', why };
}

/**
 * The mark of a library that has no interface for it, once the program has looked.
 *
 * @param owners objects that would have the interface
 * @param names  the names looked for; none may be there
 * @throws Error if one is there after all: then there is something to try
 */
export function notOffered(why: string, owners: readonly object[], names: readonly string[]): Outcome {
  const found = names.filter((name) => owners.some((owner) => name in owner));
  if (found.length > 0) throw new Error(`it has ${found.join(', ')}: try what it does`);
  return { mark: 'not offered', why };
}

/** For what a program relies on before it looks at anything. */
export function expectThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`the program expected that ${what}`);
}

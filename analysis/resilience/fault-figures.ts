/**
 * The figures of a fault that was asked for: what they are called, and what a reader needs to know. Tables, CSV files and the
 * report derive from this list. Browser-safe.
 */
import type { FaultSummary } from '../../results/formats/summary.ts';

export type FaultFigureName = {
  [Name in keyof FaultSummary]: FaultSummary[Name] extends FaultSummary['arrivedMs'] ? Name : never;
}[keyof FaultSummary];

/** The columns of the view `fault_figures` that tell of a figure that it never came. */
export type NeverColumn = 'typingAgainNever' | 'arrivedNever' | 'agreeNever';

export interface FaultFigure {
  /** In `summary.json`, and its column in the view `fault_figures`. */
  name: FaultFigureName;
  /** In a sentence, without the unit. */
  label: string;
  /** For a narrow heading in two lines, with the unit. */
  short: readonly [string, string];
  /** So many of the figure's own units are one of the heading's. */
  per: number;
  /** Where it may never come. */
  never: NeverColumn | null;
  what: string;
}

const SECOND = 1000;

export const FAULT_FIGURES: readonly FaultFigure[] = [
  {
    name: 'typingAgainMs',
    label: 'typing stopped',
    short: ['typing', 'stopped s'],
    per: SECOND,
    never: 'typingAgainNever',
    what: 'the longest time for which keys of a user who was struck did not show on the own screen; 0: typing never stopped',
  },
  {
    name: 'arrivedMs',
    label: 'all arrived',
    short: ['all', 'arrived s'],
    per: SECOND,
    never: 'arrivedNever',
    what: 'from the end until all that was typed meanwhile had reached every other screen',
  },
  {
    name: 'agreeMs',
    label: 'agree again',
    short: ['agree', 'again s'],
    per: SECOND,
    never: 'agreeNever',
    what: 'from the end until everyone saw everyone’s edits as soon as before; never, where documents differ in the end',
  },
  {
    name: 'sigilsMissingPercent',
    label: 'sigils missing',
    short: ['sigils', 'missing %'],
    per: 1,
    never: null,
    what: 'of the sigils typed meanwhile, on other screens',
  },
  {
    name: 'lostCharacters',
    label: 'lost',
    short: ['lost', 'chars.'],
    per: 1,
    never: null,
    what: 'characters typed in the whole trial that are in no document in the end, or not in every one; so many at least',
  },
  {
    name: 'doubledCharacters',
    label: 'doubled',
    short: ['doubled', 'chars.'],
    per: 1,
    never: null,
    what: 'characters of the document that nobody typed, as those that came back or came twice; so many at least',
  },
  {
    name: 'usersGone',
    label: 'users gone',
    short: ['users', 'gone'],
    per: 1,
    never: null,
    what: 'whose client gave up for good',
  },
  {
    name: 'cursorJumps',
    label: 'cursor jumps',
    short: ['cursor', 'jumps'],
    per: 1,
    never: null,
    what: 'how often others’ changes moved a cursor from between its neighbours, until 10 s after the end',
  },
  {
    name: 'largestCursorJump',
    label: 'farthest',
    short: ['farthest', 'chars.'],
    per: 1,
    never: null,
    what: 'the farthest of these jumps',
  },
  {
    name: 'frozenMs',
    label: 'frozen',
    short: ['frozen', 's'],
    per: SECOND,
    never: null,
    what: 'for how long the page that was worst stood still in tasks of 50 ms or longer, until 10 s after the end',
  },
];

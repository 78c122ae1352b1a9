/** The checks of what users ended with: one document, on every screen, made of their edits and nothing else; see checks.ts. */
import { apart, type Check, LOST_CONNECTIONS, list, processes, together } from './check.ts';

/** A failure of the framework's, if no connection was to break. */
const OF_FRAMEWORK = { makes: 'failed', explainedBy: LOST_CONNECTIONS } as const;

export const DOCUMENT_CHECKS: readonly Check[] = [
  together({
    view: 'different_documents',
    ...OF_FRAMEWORK,
    slowness: 'could be',
    code: 'diverged',
    say(rows: { process: string; comparedDigest: string }[]) {
      const groups = [...Map.groupBy(rows, ({ comparedDigest }) => comparedDigest).values()];
      return `${rows.length} replicas: ${groups.length} different documents after settling (${groups.map(processes).join(' | ')})`;
    },
  }),
  together({
    view: 'unsettled_trials',
    ...OF_FRAMEWORK,
    slowness: 'could be',
    code: 'not-settled',
    say: () => 'the replicas: not one document within the settle time',
  }),
  together({
    // Of another's service not every screen may be readable.
    view: 'uncompared_trials',
    makes: 'unknown',
    code: 'not-compared',
    say(rows: { process: string | null }[]) {
      const unseen = rows.flatMap(({ process }) => process ?? []);
      const who = unseen.length === 0 ? 'the screens' : list(unseen);
      return `${who}: not known if all hold one document, as not every screen could be read from top to bottom`;
    },
  }),
  together({
    view: 'unlike_editors',
    ...OF_FRAMEWORK,
    slowness: 'could be',
    code: 'editor-differs',
    say: (rows: { process: string }[]) => `${processes(rows)}: the editor differs from its model`,
  }),
  together({
    view: 'unlike_screens',
    makes: 'failed',
    slowness: 'could be',
    code: 'screen-differs',
    say: (rows: { process: string }[]) => `${processes(rows)}: the screen shows other text than the editor holds`,
  }),
  apart({
    view: 'swallowed_edits',
    ...OF_FRAMEWORK,
    code: 'swallowed-edits',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number }) =>
      `${row.process}: its editor took fewer characters than were typed (${row.insertedCharacters} of ${row.typedCharacters})`,
  }),
  apart({
    view: 'unfocused_users',
    makes: 'invalid',
    code: 'focus-lost',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number; focusLosses: number }) =>
      `${row.process}: its page lost the focus (${row.focusLosses} ×), so its editor took fewer characters than were typed (${row.insertedCharacters} of ${row.typedCharacters}) → leave its window alone`,
  }),
  apart({
    view: 'thrown_cursors',
    ...OF_FRAMEWORK,
    code: 'cursor-thrown',
    say: (row: { process: string; jumps: number; keys: number; movedBy: number }) =>
      `${row.process}: others' changes threw its cursor elsewhere (${row.jumps} × in ${row.keys} keys, by up to ${row.movedBy} characters)`,
  }),
  apart({
    view: 'torn_sigils',
    ...OF_FRAMEWORK,
    code: 'torn-sigils',
    say: ({ torn, sigils }: { torn: number; sigils: number }) =>
      `the sigils: torn as they were typed (${torn} of ${sigils}), though nobody else typed near`,
  }),
  apart({
    view: 'hit_sigils',
    ...OF_FRAMEWORK,
    code: 'hit-sigils',
    say: ({ hit, near, sigils }: { hit: number; near: number; sigils: number }) =>
      `the sigils: broken by others' edits more often than by chance (${hit} of ${sigils}; ${near} more had an edit near)`,
  }),
  apart({
    view: 'invented_edits',
    ...OF_FRAMEWORK,
    code: 'invented-edits',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number }) =>
      `${row.process}: its editor took more characters as its own than were typed (${row.insertedCharacters}, typed ${row.typedCharacters})`,
  }),
  together({
    view: 'altered_edits',
    makes: 'failed',
    code: 'altered-edits',
    say: (rows: { process: string }[]) => `${processes(rows)}: the editor took other letters than were typed`,
  }),
  apart({
    view: 'lost_edits',
    ...OF_FRAMEWORK,
    slowness: 'could be',
    code: 'lost-edits',
    say: (row: {
      lostCharacters: number;
      insertedCharacters: number;
      deletedCharacters: number;
      shortestCharacters: number;
    }) =>
      `the document: inserted characters are lost (at least ${row.lostCharacters}: users put in ${row.insertedCharacters} and took out ${row.deletedCharacters}, but one holds only ${row.shortestCharacters})`,
  }),
  apart({
    view: 'unaccounted_documents',
    ...OF_FRAMEWORK,
    code: 'unaccounted-text',
    say({ characters, claimedCharacters }: { characters: number; claimedCharacters: number }) {
      const surplus = characters - claimedCharacters;
      if (surplus > 0) return `the document: characters that no user's edit put in (${surplus} of ${characters})`;
      if (surplus < 0) return `the document: characters of the users' edits stand in others' places (${-surplus})`;
      return "the document: not made of the users' edits; some of its characters have no author, and others have two";
    },
  }),
  apart({
    view: 'vanished_edits',
    ...OF_FRAMEWORK,
    code: 'vanished-edits',
    say: (row: { takenCharacters: number; deletedOfOthersCharacters: number }) =>
      `the users: others' changes took more of their characters than others deleted (${row.takenCharacters}, deleted ${row.deletedOfOthersCharacters})`,
  }),
  together({
    view: 'torn_rewrites',
    makes: 'failed',
    code: 'torn-rewrite',
    say: (rows: { process: string; mostVanishedCharacters: number }[]) =>
      `${processes(rows)}: text that an agent replaced vanished before the new text came (up to ${Math.max(...rows.map(({ mostVanishedCharacters }) => mostVanishedCharacters))} characters at once)`,
  }),
  apart({
    view: 'undone_deletions',
    ...OF_FRAMEWORK,
    code: 'undone-deletions',
    say: (row: { process: string; restoredCharacters: number; deletedCharacters: number }) =>
      `${row.process}: characters that it deleted came back (${row.restoredCharacters} of ${row.deletedCharacters})`,
  }),
  apart({
    view: 'undone_formats',
    ...OF_FRAMEWORK,
    code: 'undone-formats',
    say: ({ undoneFormats, formats }: { undoneFormats: number; formats: number }) =>
      `the users: others' changes undid formats that they set (${undoneFormats} of ${formats})`,
  }),
  together({
    view: 'unlike_states',
    makes: 'failed',
    code: 'saved-state-differs',
    say: (rows: { process: string }[]) => `${processes(rows)}: the saved state holds another document than the model`,
  }),
  apart({
    view: 'unlike_newcomers',
    ...OF_FRAMEWORK,
    code: 'newcomer-differs',
    say: () => 'the newcomer: another document than the others',
  }),
  apart({
    view: 'unserved_newcomers',
    ...OF_FRAMEWORK,
    slowness: 'could be',
    code: 'newcomer-differs',
    say: ({ lateProblem }: { lateProblem: string }) => `the newcomer: could not join at the end (${lateProblem})`,
  }),
];

/** The checks of what users ended with: one document, on every screen, made of their edits and nothing else; see checks.ts. */
import { apart, type Check, LOST_CONNECTIONS, list, processes, together } from './check.ts';

export const DOCUMENT_CHECKS: readonly Check[] = [
  together({
    view: 'different_documents',
    makes: 'failed',
    slowness: 'could be',
    explainedBy: LOST_CONNECTIONS,
    code: 'diverged',
    say(rows: { process: string; comparedDigest: string }[]) {
      const groups = [...Map.groupBy(rows, ({ comparedDigest }) => comparedDigest).values()];
      return `${groups.length} different documents among ${rows.length} replicas after settling: ${groups.map(processes).join(' | ')}`;
    },
  }),
  together({
    view: 'unsettled_trials',
    makes: 'failed',
    slowness: 'could be',
    explainedBy: LOST_CONNECTIONS,
    code: 'not-settled',
    say: () => 'the replicas did not reach one document within the settle time',
  }),
  together({
    // Of another's service not every screen may be readable.
    view: 'uncompared_trials',
    makes: 'unknown',
    code: 'not-compared',
    say(rows: { process: string | null }[]) {
      const unseen = rows.flatMap(({ process }) => process ?? []);
      const where = unseen.length === 0 ? '' : ` at ${list(unseen)}`;
      return `whether all hold one document is not known: not every screen could be read from top to bottom${where}`;
    },
  }),
  together({
    view: 'unlike_editors',
    makes: 'failed',
    slowness: 'could be',
    explainedBy: LOST_CONNECTIONS,
    code: 'editor-differs',
    say: (rows: { process: string }[]) => `the editor differs from its model at ${processes(rows)}`,
  }),
  together({
    view: 'unlike_screens',
    makes: 'failed',
    slowness: 'could be',
    code: 'screen-differs',
    say: (rows: { process: string }[]) => `the screen shows other text than the editor holds at ${processes(rows)}`,
  }),
  apart({
    view: 'swallowed_edits',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'swallowed-edits',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number }) =>
      `${row.process} typed ${row.typedCharacters} characters, but its editor took only ${row.insertedCharacters}`,
  }),
  apart({
    view: 'unfocused_users',
    makes: 'invalid',
    code: 'focus-lost',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number; focusLosses: number }) =>
      `${row.process} typed ${row.typedCharacters} characters, but its editor took only ${row.insertedCharacters}: its page lost the focus ${row.focusLosses} ×`,
  }),
  apart({
    view: 'thrown_cursors',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'cursor-thrown',
    say: (row: { process: string; jumps: number; keys: number; movedBy: number }) =>
      `others' changes threw the cursor of ${row.process} elsewhere ${row.jumps} × in ${row.keys} keys, by up to ${row.movedBy} characters`,
  }),
  apart({
    view: 'torn_sigils',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'torn-sigils',
    say: ({ torn, sigils }: { torn: number; sigils: number }) =>
      `${torn} of ${sigils} sigils were torn as they were typed, though nobody else typed near`,
  }),
  apart({
    view: 'hit_sigils',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'hit-sigils',
    say: ({ hit, near, sigils }: { hit: number; near: number; sigils: number }) =>
      `others' edits broke ${hit} of ${sigils} sigils, and came near ${near} more: that is not chance`,
  }),
  apart({
    view: 'invented_edits',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'invented-edits',
    say: (row: { process: string; typedCharacters: number; insertedCharacters: number }) =>
      `${row.process} typed ${row.typedCharacters} characters, but its editor took ${row.insertedCharacters} as its own`,
  }),
  together({
    view: 'altered_edits',
    makes: 'failed',
    code: 'altered-edits',
    say: (rows: { process: string }[]) => `the editor took other letters than were typed at ${processes(rows)}`,
  }),
  apart({
    view: 'lost_edits',
    makes: 'failed',
    slowness: 'could be',
    explainedBy: LOST_CONNECTIONS,
    code: 'lost-edits',
    say: (row: {
      lostCharacters: number;
      insertedCharacters: number;
      deletedCharacters: number;
      shortestCharacters: number;
    }) =>
      `at least ${row.lostCharacters} inserted characters are lost: users put in ${row.insertedCharacters} and took out ${row.deletedCharacters}, but a document holds only ${row.shortestCharacters}`,
  }),
  apart({
    view: 'unaccounted_documents',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'unaccounted-text',
    say({ characters, claimedCharacters }: { characters: number; claimedCharacters: number }) {
      const surplus = characters - claimedCharacters;
      if (surplus > 0) return `${surplus} of the document's ${characters} characters were put in by no user's edit`;
      if (surplus < 0) return `${-surplus} characters of the users' edits stand in others' places of the document`;
      return "the document is not made of the users' edits: some of its characters are nobody's, others are claimed twice";
    },
  }),
  apart({
    view: 'vanished_edits',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'vanished-edits',
    say: (row: { takenCharacters: number; deletedOfOthersCharacters: number }) =>
      `${row.takenCharacters} characters were taken from the users who typed them, but users deleted only ${row.deletedOfOthersCharacters} of others'`,
  }),
  apart({
    view: 'undone_deletions',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'undone-deletions',
    say: (row: { process: string; restoredCharacters: number; deletedCharacters: number }) =>
      `${row.restoredCharacters} of the ${row.deletedCharacters} characters that ${row.process} deleted came back`,
  }),
  apart({
    view: 'undone_formats',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'undone-formats',
    say: ({ undoneFormats, formats }: { undoneFormats: number; formats: number }) =>
      `${undoneFormats} of the ${formats} edits by which users set formats were undone by others' changes`,
  }),
  together({
    view: 'unlike_states',
    makes: 'failed',
    code: 'saved-state-differs',
    say: (rows: { process: string }[]) => `the saved state holds another document than the model at ${processes(rows)}`,
  }),
  apart({
    view: 'unlike_newcomers',
    makes: 'failed',
    explainedBy: LOST_CONNECTIONS,
    code: 'newcomer-differs',
    say: ({ lateProblem }: { process: string; lateProblem: string | null }) =>
      lateProblem === null
        ? 'who joined in the end got another document'
        : `nobody could join in the end: ${lateProblem}`,
  }),
];

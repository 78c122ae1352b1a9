/** The figures of the scenario `kept`: what a crash of a server, its store or the power loses, doubles and shows. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'kept',
  title: 'what is still there after a crash',
  parameters: [
    { name: 'framework', short: ['', 'framework'], flag: '--frameworks' },
    { name: 'store', short: ['', 'store'] },
    { name: 'struck', short: ['', 'struck'] },
    { name: 'left', short: ['', 'left'] },
    { name: 'edits', short: ['edits', 'before'], unit: 'edits', one: 'edit' },
  ],
  figures: [
    figure('editsTyped', 'edits typed', ['edits', 'typed'], {
      unit: 'edits',
      what: 'by all users before the kill; each is a word that nobody else types',
      better: 'higher',
      places: ['terminal'],
    }),
    figure('editsLost', 'edits lost', ['edits', 'lost'], {
      unit: 'edits',
      what: 'of those, the edits that are not in the document that a newcomer gets in the end, from a server that was ended in order and started again over its store',
    }),
    figure('editsLostSeen', 'edits lost that others had seen', ['lost', 'seen'], {
      unit: 'edits',
      what: 'of the lost edits, those that another user’s editor had shown',
    }),
    figure('editsLostAcknowledged', 'edits lost that were acknowledged', ['lost', 'acked'], {
      unit: 'edits',
      what: 'of the lost edits, those that the author’s library had called saved, synced or acknowledged before the kill; not known where its protocol tells of no such thing',
    }),
    figure('editsDoubled', 'edits doubled', ['edits', 'doubled'], {
      unit: 'edits',
      what: 'edits whose word stands more than once in that document',
    }),
    figure('atRiskSeconds', 'typing at risk', ['at risk', 's'], {
      unit: 's',
      what: 'from the typing of the oldest lost edit to the kill; 0 if none is lost, and at most as long as users typed',
    }),
    figure('newcomerLacks', 'edits that an early newcomer lacked', ['early', 'lacked'], {
      unit: 'edits',
      what: 'of the edits that are there in the end, those that were not in the first document of who joined as soon as the server listened again',
    }),
    figure('healed', 'edits healed', ['edits', 'healed'], {
      unit: 'edits',
      what: 'of the edits that are there in the end, those that server and store had not had when users who had stayed came back, and that these brought',
      better: 'higher',
    }),
    figure('strandedUsers', 'users stranded', ['users', 'stranded'], {
      unit: 'users',
      what: 'of the users who had stayed, those whose word, typed when the server was back, is not there in the end',
      places: ['terminal'],
    }),
    figure('reopenMs', 'reopened', ['reopen', 'ms'], {
      what: 'from when the server listened again until the early newcomer had all that the server had for it',
    }),
    figure('sizeBytes', 'size at rest', ['at rest', 'bytes'], {
      unit: 'bytes',
      what: 'all files of the store in the end; of a database, its logs and its own tables, too',
      places: ['terminal'],
      scale: 'log',
    }),
  ],
  legend: [
    'struck: server, it is killed (SIGKILL); store, the store’s program is; both; power, the files are as at their last sync · left: users whose clients outlive it',
    'lost: not in the document that the server gives in the end, started anew over its store · seen: another user’s editor had shown it',
    'acked: the author’s library had called it saved, synced or acknowledged; a library that tells nothing of the kind has no figure',
    'at risk: from the typing of the oldest lost edit to the kill · doubled: a word stands there more than once',
    'early lacked: of what is there in the end, not in the first document of who joined at once · healed: brought back by users who had stayed',
    'stranded: users who had stayed, and whose typing no longer arrives · reopen: until the early newcomer had what the server had',
  ],
});

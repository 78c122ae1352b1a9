/** The figures of scenario `rest`: what it costs to keep a document in an embedded store. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'rest',
  title: 'what keeping one more edit of a document costs, and having the document back',
  parameters: [
    { name: 'store', short: ['', 'store'] },
    { name: 'way', short: ['', 'way'] },
    { name: 'edits', short: ['', 'edits'], unit: 'edits', one: 'edit' },
    { name: 'durable', short: ['', 'durable'] },
  ],
  figures: [
    figure('persistMs.p50', 'one edit persisted, p50', ['write ms', 'p50'], {
      what: 'from where the edit is in memory to where the store has it: what is written of it (the state, or the keys) is made and written in one batch. An update is what its author sent, so nothing is made of it.',
    }),
    figure('persistMs.p95', 'one edit persisted, p95', ['write ms', 'p95'], {
      what: 'the same, at the 95th percentile of the trial’s edits.',
    }),
    figure('persistMs.p99', 'one edit persisted, p99', ['write ms', 'p99'], {
      what: 'the same, at the 99th percentile. A compaction is one edit in 500 and does not show here.',
      places: ['compare'],
    }),
    figure('persistMs.max', 'one edit persisted, slowest', ['write ms', 'max'], {
      what: 'the slowest edit: here compactions show, and what the store puts off.',
      places: ['terminal'],
    }),
    figure('bytesPerEdit', 'bytes given to the store per edit', ['given', 'B/edit'], {
      unit: 'B',
      what: 'keys and values that the store was given to write, and keys to delete.',
      scale: 'log',
    }),
    figure('writtenBytesPerEdit', 'bytes written by the store per edit', ['written', 'B/edit'], {
      unit: 'B',
      what: 'what the process gave to the system to write while the edits were measured (wchar of /proc/self/io): with the store’s own logs, whole pages, and compactions in its threads. Not known where there is no /proc.',
      scale: 'log',
    }),
    figure('diskKiB', 'on disk', ['disk', 'KiB'], {
      what: 'the files of the store after it was closed.',
      scale: 'log',
    }),
    figure('openMs', 'opened', ['open', 'ms'], {
      what: 'in a process that has just started, its code loaded and not yet compiled, the files in the system’s cache: from opening the store to having the whole text.',
    }),
    figure('readAllMs', 'whole text read', ['read', 'all ms'], {
      what: 'the same with the store open: median of 5 readings.',
    }),
    figure('readParagraphMs', 'one paragraph read', ['read', 'par. ms'], {
      what: 'the paragraph in the middle, from the key that it begins with: median of 5 readings. Only "decompose" reads no more than that; the other ways must read all of the document.',
    }),
  ],
  publishedGrowthOf: 'way',
  curves: [
    {
      name: 'persistMicroseconds',
      title: 'Persisting an edit, as the document grows',
      x: { label: 'edits', unit: 'edits' },
      y: { label: 'one edit persisted, mean of a group', unit: 'µs' },
    },
  ],
  legend: [
    'edits: what the document holds before the measured ones · durable yes: each edit is on the disk (fsync) before the next',
    'rewrite: the whole state with each edit · append: a log of updates · compact: that, and the state in its place at times',
    'decompose: a key for each character, ordered by position-strings; positions stand for Yjs’s own items',
    'given: keys and values · written: what the process had the system write · par.: one paragraph, for which all but decompose read everything',
  ],
});

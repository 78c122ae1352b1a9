/** The figures of the scenario `replay`: a trace applied edit by edit. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'replay',
  title: 'a trace replayed into one document',
  parameters: [
    { name: 'engine', short: ['', 'engine'], flag: '--engines' },
    { name: 'observe', short: ['', 'observed'] },
    { name: 'repeat', short: ['times', 'over'], unit: 'times', one: 'time' },
  ],
  figures: [
    figure('applyMs', 'all edits', ['all', 'edits ms'], {
      what: 'the time of all edits at the replica where they are typed; of a concurrent trace, at all authors’',
      regressionPercent: 10,
    }),
    figure('extrapolatedMs', 'all edits, extrapolated', ['extra-', 'polated ms'], {
      what: 'of an engine that is given the first edits only: what all would take, if an edit went on to take longer as it did',
      places: ['terminal'],
    }),
    figure('editsPerSecond', 'edits a second', ['edits', '/ s'], {
      unit: '1/s',
      what: 'edits ÷ that time',
      better: 'higher',
      scale: 'log',
      places: [],
    }),
    figure('worstEditMs', 'slowest edits', ['worst', 'ms'], {
      what: 'the slowest 8 edits in a row together: no single edit took longer',
      places: ['terminal'],
    }),
    figure('receiveMs', 'taking in others’ updates', ['receive', 'ms'], {
      what: 'of a concurrent trace: what of all the time was that',
    }),
    figure('remoteEditsPerSecond', 'remote edits a second, one by one', ['remote', '/ s'], {
      unit: '1/s',
      what: 'updates applied one by one at a second replica, as far as the time for it went',
      better: 'higher',
      regressionPercent: 10,
      scale: 'log',
    }),
    figure('remoteBatchedEditsPerSecond', 'remote edits a second, in batches', ['batched', '/ s'], {
      unit: '1/s',
      what: 'the same by 34 at once: what 112 users type in 50 ms',
      better: 'higher',
      regressionPercent: 10,
      scale: 'log',
    }),
    figure('remoteEdits', 'remote edits made one by one', ['remote', 'edits'], {
      unit: 'edits',
      what: 'how many the time was enough for',
      better: 'higher',
      places: [],
    }),
    figure('remoteBatchedEdits', 'remote edits made in batches', ['batched', 'edits'], {
      unit: 'edits',
      what: 'how many the time was enough for',
      better: 'higher',
      places: [],
    }),
    figure('updatesKiB', 'all updates', ['updates', 'KiB'], {
      what: 'bytes that others must get, of all edits',
      regressionPercent: null,
    }),
    figure('savedKiB', 'saved document', ['saved', 'KiB'], {
      what: 'in the engine’s usual encoding; of Yjs, ywasm and Yrs, that is V1',
      regressionPercent: null,
    }),
    figure('savedV2KiB', 'saved as V2', ['V2', 'KiB'], {
      what: 'the other encoding of Yjs, ywasm and Yrs, which their own benchmark has',
      places: ['terminal'],
    }),
    figure('savedWithHistoryKiB', 'saved with history', ['with', 'history'], {
      what: 'the smallest of its encodings that hold the history',
      places: [],
    }),
    figure('savedWithoutHistoryKiB', 'saved without history', ['without', 'history'], {
      what: 'the smallest of its encodings that hold none',
      places: [],
    }),
    figure('loadMs', 'loading, cold', ['cold', 'load ms'], {
      what: 'the saved document, until its text can be read, for the first time in the process',
      places: [],
    }),
    figure('loadWarmMs', 'loading, warm', ['warm', 'load ms'], {
      what: 'the same again: the median of up to 5 times in 3 s; the scenario `state` measures it at length',
      places: ['compare'],
      regressionPercent: null,
    }),
    figure('heapMiB', 'heap', ['heap', 'MiB'], {
      what: 'JavaScript’s objects after a garbage collection: what the document added',
    }),
    figure('externalMiB', 'outside of the heap', ['ext.', 'MiB'], {
      what: 'buffers and memories of WebAssembly that it added',
      places: ['terminal'],
    }),
    figure('residentMiB', 'resident memory', ['RSS', 'MiB'], {
      what: 'of the whole process, as the system counts it: garbage that the engine left, too',
      places: ['terminal'],
    }),
    figure('harnessNsPerEdit', 'measuring', ['harness', 'ns/edit'], {
      unit: 'ns',
      what: 'what the loop takes for each edit with an engine that does nothing; it is contained in the times',
      places: ['terminal'],
      scale: 'log',
    }),
  ],
  curves: [
    {
      name: 'editMicroseconds',
      title: 'One edit, as the document grows',
      x: { label: 'edits so far', unit: 'edits' },
      y: { label: 'one edit', unit: 'µs' },
    },
  ],
  legend: [
    'observed: updates: each edit is a transaction, and its update is taken; edits: the same without updates; once: one transaction',
    'worst: the slowest 8 edits in a row · remote: at a second replica, one by one, as far as the time for it went · batched: by 34 at once',
    'heap: JavaScript’s objects after a collection; ext.: buffers and WebAssembly; RSS: of the whole process; each what the document added',
  ],
});

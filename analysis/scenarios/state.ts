/** The figures of the scenario `state`: a document as it is saved and loaded. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

const DEVIATION = 'standard deviation of the repetitions';

export const scenario = ofDocuments({
  name: 'state',
  title: 'saved documents',
  parameters: [
    { name: 'engine', short: ['', 'engine'], flag: '--engines' },
    { name: 'state', short: ['', 'state of'] },
    { name: 'encoding', short: ['', 'encoding'] },
    { name: 'history', short: ['', 'history'] },
  ],
  figures: [
    figure('savedKiB', 'saved document', ['saved', 'KiB'], { what: 'as the engine encodes it' }),
    figure('gzippedKiB', 'gzipped', ['gzipped', 'KiB'], { what: 'the same, gzipped', places: ['terminal'] }),
    figure('quillRatio', 'saved ÷ Quill’s', ['÷', 'Quill'], {
      unit: 'times',
      what: 'against Quill’s own JSON of the same document',
    }),
    figure('loadMs', 'loading', ['load', 'ms'], {
      what: 'from bytes to a document, its text not read; mean of the repetitions',
    }),
    figure('loadDeviationMs', 'loading, deviation', ['±', 'ms'], { what: DEVIATION, places: ['terminal'] }),
    figure('loadTextMs', 'loading and reading', ['to text', 'ms'], {
      what: 'the same, with its text read: some load when they are read; of what a trial saved, the median of the repetitions',
      // Of a saved state only times are compared: documents of two trials differ by what was typed at once.
      regressionPercent: 20,
    }),
    figure('saveMs', 'saving', ['save', 'ms'], {
      what: 'from a document that has just changed to bytes; mean of the repetitions',
    }),
    figure('saveDeviationMs', 'saving, deviation', ['±', 'ms'], { what: DEVIATION, places: ['terminal'] }),
    figure('heapMiB', 'heap', ['heap', 'MiB'], {
      what: 'JavaScript’s objects that a loaded document takes, its text not read, after a collection',
      places: ['terminal'],
    }),
    figure('externalMiB', 'outside of the heap', ['ext.', 'MiB'], {
      what: 'buffers and memories of WebAssembly that it takes, its text not read',
      places: ['terminal'],
    }),
    figure('residentMiB', 'resident memory', ['RSS', 'MiB'], {
      what: 'what loading it added to the process, as the system counts it',
      places: ['terminal'],
    }),
    figure('characters', 'characters', ['', 'characters'], { unit: 'characters', what: 'of the document', places: [] }),
  ],
  legend: [
    'state of: the trace that was replayed, or the trial that saved it · ÷ Quill: against Quill’s JSON of the same document',
    'load, save: means of the repetitions in a trial, ± their standard deviation · to text: loading until the text is read',
    'heap: JavaScript’s objects after a collection; ext.: buffers and WebAssembly; RSS: of the whole process; each what the document added',
  ],
});

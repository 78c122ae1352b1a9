/** The figures of the scenario `state`: a document as it is saved and loaded. Browser-safe. */
import type { ScenarioCatalogue, ScenarioFigure } from './scenario.ts';

const MAIN = ['main', 'compare'] as const;

export const catalogue: ScenarioCatalogue = {
  scenario: 'state',
  title: 'saved documents',
  parameters: [
    { name: 'engine', short: ['', 'engine'] },
    { name: 'state', short: ['', 'state of'] },
    { name: 'encoding', short: ['', 'encoding'] },
    { name: 'history', short: ['', 'history'] },
  ],
  figures: [
    size('savedKiB', 'saved document', ['saved', 'KiB'], 'as the engine encodes it', MAIN),
    size('gzippedKiB', 'gzipped', ['gzipped', 'KiB'], 'the same, gzipped', ['main']),
    {
      ...size('quillRatio', 'saved ÷ Quill’s', ['÷', 'Quill'], 'against Quill’s own JSON of the same document', MAIN),
      unit: 'times',
    },
    time('loadMs', 'loading', ['load', 'ms'], 'from bytes to a document, its text not read; mean of the repetitions'),
    time('loadDeviationMs', 'loading, deviation', ['±', 'ms'], 'standard deviation of the repetitions'),
    time(
      'loadTextMs',
      'loading and reading',
      ['to text', 'ms'],
      'the same, with its text read: some load when they are read',
    ),
    time('saveMs', 'saving', ['save', 'ms'], 'from the document to bytes; mean of the repetitions'),
    time('saveDeviationMs', 'saving, deviation', ['±', 'ms'], 'standard deviation of the repetitions'),
    memory('heapMiB', 'heap', ['heap', 'MiB'], 'JavaScript’s objects that a loaded document takes, after a collection'),
    memory('externalMiB', 'outside of the heap', ['ext.', 'MiB'], 'buffers and memories of WebAssembly that it takes'),
    memory(
      'residentMiB',
      'resident memory',
      ['RSS', 'MiB'],
      'what loading it added to the process, as the system counts it',
    ),
    {
      ...size('characters', 'characters', ['', 'characters'], 'of the document', []),
      unit: 'characters',
    },
  ],
  curves: [],
  legend: [
    'state of: the trace that was replayed, or the trial that saved it · ÷ Quill: against Quill’s JSON of the same document',
    'load, save: means of the repetitions in a trial, ± their standard deviation · to text: loading until the text is read',
    'heap: JavaScript’s objects after a collection; ext.: buffers and WebAssembly; RSS: of the whole process; each what the document added',
  ],
};

function size(
  name: string,
  label: string,
  short: [string, string],
  what: string,
  places: ScenarioFigure['places'],
): ScenarioFigure {
  return { name, label, short, what, unit: 'KiB', scale: 'linear', better: 'lower', places };
}

function time(name: string, label: string, short: [string, string], what: string): ScenarioFigure {
  const isSpread = name.includes('Deviation');
  return { name, label, short, what, unit: 'ms', scale: 'log', better: 'lower', places: isSpread ? ['main'] : MAIN };
}

function memory(name: string, label: string, short: [string, string], what: string): ScenarioFigure {
  return { name, label, short, what, unit: 'MiB', scale: 'linear', better: 'lower', places: ['main'] };
}

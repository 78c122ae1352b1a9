/** The figures of the scenario `memory`: open documents and idle connections in a server's memory. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'memory',
  title: 'a server’s memory',
  parameters: [
    { name: 'framework', short: ['', 'framework'], flag: '--frameworks' },
    { name: 'edits', short: ['', 'edits'], unit: 'edits', one: 'edit' },
    { name: 'documents', short: ['docu-', 'ments'], unit: 'documents', one: 'document' },
  ],
  figures: [
    figure('idleMiB', 'server without documents', ['idle', 'MiB'], {
      what: 'all of its processes, with nobody there, after a first document was opened and closed (proportional set size after a garbage collection, as all that follow)',
      places: ['terminal'],
    }),
    figure('openMiB', 'server with all documents open', ['open', 'MiB'], {
      what: 'each written and kept open by one user',
      places: ['terminal'],
    }),
    figure('documentMiB', 'an open document', ['document', 'MiB'], {
      what: 'what the server grew by, divided by the documents; the connection of its user is in it',
    }),
    figure('connectionMiB', 'an idle connection', ['connection', 'MiB'], {
      what: 'what the server grew by as further users opened the first document and did nothing, divided by these',
    }),
    figure('leftMiB', 'left when all are closed', ['left', 'MiB'], {
      what: 'above the server without documents, at the end of the time that it was watched after everyone had left',
    }),
    figure('givenBackMs', 'given back after', ['given', 'back ms'], {
      what: 'until it had given back nine tenths of all that it gave back in that time; it is looked at after 1, 2, 5, 10, … seconds',
      places: ['terminal'],
    }),
    figure('characters', 'characters', ['', 'characters'], {
      unit: 'characters',
      what: 'of each document',
      places: [],
    }),
    figure('serverPeakMemoryMiB', 'server memory, most', ['peak', 'MiB'], {
      what: 'the most that its processes ever had resident, garbage included',
      places: ['terminal'],
    }),
  ],
  curves: [
    {
      name: 'closedMiB',
      title: 'Server memory once all documents are closed',
      x: { label: 'time since everyone left', unit: 's' },
      y: { label: 'memory after a garbage collection', unit: 'MiB' },
    },
  ],
  legend: [
    'document: what each adds to the server, with its user’s connection · connection: what each further idle user of one document adds',
    'left: above the idle server, at the end · given back: until nine tenths of what it gave back were',
    'MiB of the server’s processes after a garbage collection, which a server in another language than JavaScript is not asked for; peak: without',
  ],
});

/** The figures of the scenario `join`: how long a newcomer waits for a document. Browser-safe. */
import { figure, ofDocuments } from './scenario.ts';

export const scenario = ofDocuments({
  name: 'join',
  title: 'a newcomer in Chrome',
  parameters: [
    { name: 'framework', short: ['', 'framework'], flag: '--frameworks' },
    { name: 'way', short: ['', 'gets'] },
    { name: 'edits', short: ['', 'edits'], unit: 'edits', one: 'edit' },
    { name: 'documents', short: ['docu-', 'ments'], unit: 'documents', one: 'document' },
    { name: 'processes', short: ['pro-', 'cesses'], unit: 'processes', one: 'process' },
  ],
  figures: [
    figure('firstTextMs.p50', 'first text', ['first', 'text ms'], {
      what: 'from the beginning of the join to the frame that shows any text; the median of a trial’s newcomers',
      places: ['terminal'],
    }),
    figure('wholeMs.p50', 'whole document', ['whole', 'ms'], {
      what: 'to the frame that shows as much as the document held when the join began; a client that binds its editor once it has everything shows it with the first text',
    }),
    figure('typableMs.p50', 'able to type', ['can', 'type ms'], {
      what: 'to the frame that shows a key of the newcomer’s, typed as soon as the client has joined and the document shows',
    }),
    figure('typableMs.p95', 'able to type, 95th percentile', ['can type', 'p95'], {
      what: 'of trials of 20 newcomers or more',
      places: ['compare'],
    }),
    figure('typableMs.worst', 'able to type, slowest newcomer', ['can type', 'worst'], {
      what: 'of the trial’s newcomers the one who waited longest',
      places: [],
    }),
    figure('caughtUpMs.p50', 'caught up', ['caught', 'up ms'], {
      what: 'to the frame that shows what another user typed right after the newcomer’s client had joined: all that piled up during the join is worked off',
    }),
    figure('receivedKiB', 'received', ['received', 'KiB'], {
      what: 'payload of the newcomer’s WebSockets until it could type',
    }),
    figure('sentKiB', 'sent', ['sent', 'KiB'], {
      what: 'the same of what it sent, its first key included',
      places: [],
    }),
    figure('blockedMs.p50', 'page blocked', ['blocked', 'ms'], {
      what: 'of the time until it could type: tasks of more than 50 ms on the page’s thread, their whole length',
      scale: 'linear',
    }),
    figure('serverCpuMs.p50', 'server CPU of a join', ['server', 'CPU ms'], {
      what: 'what the server took of a core from the beginning of a join until the newcomer was caught up, what the others typed meanwhile included; of trials of one document',
      scale: 'linear',
    }),
    figure('serverCpuPercent', 'server CPU', ['server', 'CPU %'], {
      what: 'of all its processes together, in % of one core, while all type and nobody joins; of trials of several documents',
    }),
    figure('busiestServerPercent', 'server CPU, busiest process', ['busiest', 'process'], {
      what: 'the same of the process that took most: one that comes near 100 keeps its documents waiting',
      places: ['terminal'],
    }),
    figure('serverMemoryMiB', 'server memory', ['server', 'MiB'], {
      what: 'of all its processes together at the end of the trial (proportional set size)',
      places: ['terminal'],
    }),
    figure('typedPercent', 'typed', ['typed', '%'], {
      what: 'keys that were typed, of those that were due: less, where the machine is too small for so many users',
      better: 'higher',
      places: ['terminal'],
    }),
  ],
  legend: [
    'times: from the beginning of the join to the frame that shows it, medians over a trial’s newcomers; Quill and all code are loaded before',
    'first text: anything of the document · whole: all that it held as the join began · can type: an own key shows · caught up: what another typed after the join shows',
    'gets: deployed: what the library’s own server gives; of relays, backlog: every message; snapshots: a state saved every 100 messages, and the rest; state: one of all messages, made when the newcomer comes',
    'blocked: tasks of more than 50 ms, until it can type · server: CPU of one join; of many documents, while all type and nobody joins, in % of a core',
  ],
});

/** The figures of what stands behind a framework's server: a store, and other servers of the same document. Browser-safe. */
import { type Figure, figure, percentile, type Samples } from './figure.ts';

const CORE = { unit: '%', unitOf: 'of a core' } as const;
/** Only cells with such have them, so tables without show no column. */
const SELDOM = { isSeldom: true, column: 'optional' } as const;
const OF_STORE = { ...SELDOM, places: ['terminal', 'store'] } as const;
const OF_SERVERS = { ...SELDOM, places: ['terminal', 'servers'] } as const;

const SAME_SERVER: Samples = {
  samples: 'endToEndSameServerMs',
  label: 'end-to-end latency at one server',
  short: 'same server ms',
  what: 'on the screens of users of the same server as the typist; only where there are several',
  events: 'sigilsSeenSameServer',
  measuredOn: 'anyone’s sigils',
};
const OTHER_SERVER: Samples = {
  samples: 'endToEndOtherServerMs',
  label: 'end-to-end latency between servers',
  short: 'other server ms',
  what: 'on the screens of users of another server than the typist’s',
  events: 'sigilsSeenOtherServer',
  measuredOn: 'anyone’s sigils',
};

export const BACKING_FIGURES: readonly Figure[] = [
  ...[SAME_SERVER, OTHER_SERVER].flatMap((samples) => [
    { ...percentile('p50', samples), ...OF_SERVERS },
    { ...percentile('p95', samples), ...OF_SERVERS },
  ]),
  figure('busiestServerCpuPercent', 'CPU of the busiest server', ['busiest', 'server %'], {
    ...OF_SERVERS,
    unitOf: 'of all servers’ CPU',
    what: 'server CPU is that of all servers together; with three that share the work alike it is a third',
  }),
  figure('brokerCpuPercent', 'broker CPU', ['broker', 'CPU %'], {
    ...CORE,
    ...OF_SERVERS,
    what: 'the program by which several servers tell each other of changes; no part of server CPU',
  }),
  figure('storeCpuPercent', 'store CPU', ['store', 'CPU %'], {
    ...CORE,
    ...OF_STORE,
    what: 'the store’s own program; a store that is a part of the server is in the server’s CPU',
  }),
  figure('storeMemoryMiB', 'store memory', ['store', 'MiB'], {
    ...OF_STORE,
    what: 'the same of memory',
    places: ['store'],
  }),
  figure('serverWrittenBytesPerEdit', 'bytes written by the server per edit', ['server', 'writes B/edit'], {
    ...OF_STORE,
    unit: 'bytes',
    what: 'into files, for each edit of all; of a library that keeps documents seldom, measure longer than it waits',
  }),
  figure('storeWrittenBytesPerEdit', 'bytes written by the store per edit', ['store', 'writes B/edit'], {
    ...OF_STORE,
    unit: 'bytes',
    what: 'the same of the store’s own program, logs and all',
  }),
  figure('writtenBytesPerCharacter', 'write amplification', ['written', 'B/char.'], {
    ...OF_STORE,
    unit: 'bytes',
    what: 'that server and store wrote into files, for each character that anybody typed',
  }),
  figure('storeGrowthBytesPerCharacter', 'bytes on disk per character', ['on disk', 'B/char.'], {
    ...OF_STORE,
    unit: 'bytes',
    what: 'by how much the store’s files grew from when typing began, for each character typed; below zero where it tidied up',
  }),
  figure('storeSizeKiB', 'store on disk', ['on disk', 'KiB'], {
    ...OF_STORE,
    what: 'all files of the store in the end, with what an empty one takes',
    places: ['store'],
  }),
];

/** The figures of processes, machines and networks; of the crowd; of the document. Browser-safe. */
import { MAX_LONG_TASK_PERCENT } from './criterion.ts';
import { chart, type Figure, figure, mean, percentile, type Samples } from './figure.ts';

const CORE = { unit: '%', unitOf: 'of a core' } as const;
/** A percent of a core is so many µs in each second. */
export const US_PER_CPU_PERCENT = 10_000;
const USER = 'per user: its share of Chrome’s processes';

const USER_PAYLOAD = 'WebSocket payload, per user';
const SERVER_PAYLOAD = 'TCP payload, to and from all users';
const PAYLOAD_PER_EDIT = { unit: 'bytes', what: 'WebSocket payload of the users' } as const;
const DEFLATED_PER_EDIT = {
  unit: 'bytes',
  what: 'as permessage-deflate would make it, by some of user 0’s messages',
} as const;
const SPEED_ON = { oneCore: 'one core', allCores: 'all cores' } as const;

export const RESOURCE_FIGURES: readonly Figure[] = [
  figure('serverCpuPercent', 'server CPU', ['server', 'CPU %'], {
    ...CORE,
    what: 'the framework’s server process and its child processes',
    places: [
      ...['series', 'terminal', 'report', 'resources', 'baseline', 'compare', 'scaling'],
      ...['readers', 'store', 'servers', 'sql'],
    ] as const,
    regressionPercent: null,
    chart: chart('server-cpu'),
  }),
  figure('serverIdleCpuPercent', 'server CPU, idle', ['server', 'idle CPU %'], {
    ...CORE,
    what: 'with all users connected, before anyone types; contained in server CPU',
    places: ['resources', 'sql'],
  }),
  figure('serverWaitPercent', 'server waited for a core', ['server', 'waited %'], {
    ...CORE,
    what: 'what its threads would have taken besides, had others not had the cores',
    places: ['resources', 'sql'],
  }),
  figure('serverMemoryMiB', 'server memory', ['server', 'MiB'], {
    what: 'the framework’s server process and its child processes',
    places: ['series', 'resources', 'readers', 'store', 'servers'],
  }),
  figure('serverPeakMemoryMiB', 'server memory at most', ['server', 'most MiB'], {
    what: 'the most that the same processes held at once in the measured window, in any trial',
    source: { pooled: 'greatest', column: 'serverPeakMemoryMiB' },
    places: ['resources', 'sql'],
  }),
  figure('serverLoopDelayMs.p99', 'server’s event-loop delay, 99th percentile', ['loop', 'p99 ms'], {
    what: 'how late the server’s process came to its work',
    scale: 'log',
    source: { pooled: 'quantile', samples: 'serverLoopDelayMs', p: 0.99, measuredOn: 'server loop' },
    places: ['resources'],
  }),
  figure('serverMemoryKiBPer1000Edits', 'server memory per 1,000 edits', ['server', 'KiB/1,000'], {
    what: 'by how much it grew; below zero where it shrank',
  }),
  figure('userHeapMiB', 'page’s heap', ['heap', 'MiB'], {
    what: 'JavaScript objects and buffers of a user’s page at the end, after a garbage collection',
    places: ['resources'],
  }),
  figure('userHeapMiBPerMinute', 'growth of the page’s heap', ['heap', 'MiB/min'], {
    what: 'by which JavaScript objects and buffers of a user’s page grew per minute, from before typing to the end',
  }),
  figure('userWasmMiB', 'page’s WebAssembly', ['WASM', 'MiB'], {
    what: 'memories of WebAssembly of a user’s page at the end; no part of its heap',
    places: ['resources'],
  }),
  figure('userCpuPercent', 'user CPU', ['user', 'CPU %'], {
    ...CORE,
    what: USER,
    places: ['series', 'terminal', 'report', 'resources', 'baseline', 'compare', 'sql'],
    regressionPercent: 20,
    chart: chart('user-cpu'),
  }),
  figure('userCpuMsPerRemoteEdit', 'user CPU per remote edit', ['user', 'ms/remote edit'], {
    what: 'CPU time of a user for each edit of another; what the own typing takes is in it',
    places: ['resources', 'scaling'],
  }),
  figure('userMemoryMiB', 'user memory', ['user', 'MiB'], {
    what: USER,
    places: ['series', 'terminal', 'report', 'resources', 'baseline', 'compare', 'sql'],
    regressionPercent: null,
    chart: chart('user-memory', { over: ['users'] }),
  }),
  figure('driverCpuPercent', 'driver CPU', ['driver', 'CPU %'], {
    ...CORE,
    what: 'what drives the editors, for all users together',
    places: ['report', 'sql'],
  }),
  figure('driverCpuMsPerEdit', 'driver CPU per edit', ['driver', 'ms/edit'], {
    what: 'CPU time of what drives the editors, for each edit performed',
  }),
  figure('machineCpuPercent', 'machine busy', ['machine', 'busy %'], {
    heading: ['busy', '%'],
    unitOf: 'of all cores',
    what: 'whatever runs there, all cores together',
    places: ['series', 'terminal', 'report'],
  }),
  ...(['oneCore', 'allCores'] as const).map((part) =>
    figure(`machineSpeed.${part}`, `machine speed, ${SPEED_ON[part]}`, ['speed', SPEED_ON[part]], {
      unit: 'turns/µs',
      what: 'turns of a fixed loop of JavaScript, before and after each trial',
      better: 'higher',
      places: ['report'],
    }),
  ),
  figure('machineStealPercent', 'taken by the hypervisor', ['machine', 'steal %'], {
    unitOf: 'of all cores',
    what: 'CPU time that the machine wanted while the hypervisor gave it to others',
    source: { pooled: 'greatest', column: 'machineStealPercent' },
    places: ['resources'],
  }),
  figure('throttledPercent', 'held up by a CPU limit', ['throttled', '%'], {
    ...CORE,
    what: 'of the process that was held up most; all cores and all control groups around it added up',
    source: { pooled: 'greatest', column: 'throttledPercent' },
  }),
  figure('delayLineLateMs.p50', 'delay line’s lateness, median', ['line late', 'p50 ms'], {
    what: 'by how much chunks went on later than planned, in the worst trial; below zero: sooner',
    source: { pooled: 'greatest', column: 'delayLineMedianMs' },
    places: ['resources'],
  }),
  figure('delayLineLateMs.p99', 'delay line’s lateness, 99th percentile', ['line late', 'p99 ms'], {
    what: 'the same',
    source: { pooled: 'greatest', column: 'delayLineP99Ms' },
    places: ['resources'],
  }),
  figure('userNetworkKiBps.sent', 'user network, sent', ['user', 'sent KiB/s'], {
    what: USER_PAYLOAD,
    source: mean('userSentKiBps'),
    places: ['resources'],
  }),
  figure('userNetworkKiBps.received', 'user network, received', ['user', 'received KiB/s'], {
    what: USER_PAYLOAD,
    source: mean('userReceivedKiBps'),
    places: ['resources', 'scaling'],
  }),
  figure('userBytesPerEdit.sent', 'bytes sent per own edit', ['bytes sent', 'per own edit'], {
    ...PAYLOAD_PER_EDIT,
    source: mean('userSentBytesPerEdit'),
    places: ['resources'],
  }),
  figure('userBytesPerEdit.received', 'bytes received per remote edit', ['bytes received', 'per remote edit'], {
    ...PAYLOAD_PER_EDIT,
    source: mean('userReceivedBytesPerEdit'),
    places: ['resources', 'scaling'],
  }),
  figure('userDeflatedBytesPerEdit.sent', 'bytes sent per own edit, compressed', ['deflated', 'per own edit'], {
    ...DEFLATED_PER_EDIT,
    source: mean('userSentDeflatedBytesPerEdit'),
    places: ['resources'],
  }),
  figure(
    'userDeflatedBytesPerEdit.received',
    'bytes received per remote edit, compressed',
    ['deflated', 'per remote edit'],
    { ...DEFLATED_PER_EDIT, source: mean('userReceivedDeflatedBytesPerEdit'), places: ['resources'] },
  ),
  // All the traffic that edits cause: a user's is a part of it.
  figure('serverNetworkKiBps.sent', 'server network, sent', ['server', 'sent KiB/s'], {
    what: SERVER_PAYLOAD,
    source: mean('serverSentKiBps'),
    places: ['resources', 'scaling', 'readers'],
  }),
  figure('serverNetworkKiBps.received', 'server network, received', ['server', 'received KiB/s'], {
    what: SERVER_PAYLOAD,
    source: mean('serverReceivedKiBps'),
    places: ['resources'],
  }),
];

const AMONG_PROBES: Samples = {
  samples: 'endToEndAmongProbesMs',
  label: 'end-to-end latency among probes',
  short: 'probes ms',
  what: 'of sigils that probes typed, on the other probes’ screens; only where there is a crowd',
  events: 'sigilsSeenAmongProbes',
  measuredOn: 'own sigils',
};
const FROM_CROWD: Samples = {
  samples: 'endToEndFromCrowdMs',
  label: 'end-to-end latency from the crowd',
  short: 'crowd ms',
  what: 'of sigils that the crowd typed, on the probes’ screens',
  events: 'sigilsSeenFromCrowd',
  measuredOn: 'the crowd’s sigils',
};

/** All sigils of a recorded crowd have it, or none, in older records. */
const LESS_BATCH: Samples = {
  samples: 'endToEndLessBatchMs',
  label: 'end-to-end latency from the crowd, less the sender’s batch',
  short: 'less batch ms',
  what: 'of sigils that the crowd typed, from when their senders’ clients sent them, to the probes’ screens',
  events: 'sigilsSeenFromCrowd',
  measuredOn: 'the crowd’s sigils',
};

/** Figures of trials in which not all users are live. */
export const CROWD_FIGURES: readonly Figure[] = [
  percentile('p50', AMONG_PROBES),
  percentile('p95', AMONG_PROBES),
  percentile('p50', FROM_CROWD),
  percentile('p95', FROM_CROWD),
  { ...percentile('p50', LESS_BATCH), column: 'optional', places: ['terminal', 'report'] },
  { ...percentile('p95', LESS_BATCH), column: 'optional', places: ['terminal', 'report'] },
  figure('crowdLateMs', 'lateness of the crowd', ['crowd', 'late ms'], {
    what: 'by how much a recorded crowd’s frames left late, 99th percentile of a trial, of however few; the worst trial’s',
    source: { pooled: 'greatest', column: 'crowdLateMs' },
  }),
  figure('crowdCpuPercent', 'crowd CPU', ['crowd', 'CPU %'], {
    unitOf: 'of a core',
    what: 'what plays the crowd, or types for it, all together; with agents and readers',
    places: ['report'],
  }),
  figure('crowdMemoryMiB', 'crowd memory', ['crowd', 'MiB'], {
    what: 'of what plays the crowd, or types for it, all together; with agents and readers',
  }),
];

/** Figures of the document and of the pages that show it. */
export const DOCUMENT_FIGURES: readonly Figure[] = [
  figure('savedStateKiB', 'saved state', ['saved', 'state KiB'], {
    what: 'the document as the framework stores it, at the end',
    places: ['saved state', 'scaling'],
    chart: chart('saved-state', { over: ['users'] }),
  }),
  figure('quillStateKiB', 'Quill’s state', ['Quill’s', 'state KiB'], {
    what: 'Quill’s own JSON of the same document',
    places: ['saved state'],
  }),
  figure('savedStateRatio', 'saved state ÷ Quill’s', ['', 'ratio'], {
    unit: 'times',
    what: 'against Quill’s own JSON of the same document',
    source: { pooled: 'ratio', of: 'savedStateKiB', to: 'quillStateKiB' },
    places: ['saved state'],
    chart: chart('state-ratio', { over: ['users'] }),
  }),
  figure('documentCharacters', 'document length', ['docu-', 'ment'], {
    unit: 'characters',
    what: 'as the screens hold it; at the end, or over time',
    places: ['series', 'terminal', 'report', 'saved state'],
    chart: chart('document-length', { over: ['time'] }),
  }),
  figure('worstUserLongTaskPercent', 'worst user’s long tasks', ['worst', 'tasks %'], {
    unitOf: 'of the time',
    what: 'the busiest page’s main thread in tasks of 50 ms or longer, in any trial',
    source: { pooled: 'greatest', column: 'worstUserLongTaskPercent' },
    smoothBound: { value: MAX_LONG_TASK_PERCENT, kind: 'at most', from: 'this project' },
    places: ['report'],
  }),
  figure('longTaskPercent', 'long tasks', ['long', 'tasks %'], {
    unitOf: 'of the time',
    what: 'a page’s main thread in tasks of 50 ms or longer',
    isOverTimeOnly: true,
    places: ['series'],
    chart: chart('long-tasks', { over: ['time'], axis: 'share' }),
  }),
];

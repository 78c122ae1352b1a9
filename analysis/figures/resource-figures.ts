/** The figures of processes, machines and networks. Browser-safe. */
import { chart, mean, PLAIN } from './entry.ts';
import type { Figure } from './figure.ts';

const CORE = { unit: '%', unitOf: 'of a core' } as const;
const USER = 'per user: its share of Chrome’s processes';

/** What the server sends is all that the users' edits make of traffic; the other two are a user's part of it, and an edit's. */
function isGrowthTold(name: string): boolean {
  return ['serverNetworkKiBps.sent', 'userNetworkKiBps.received', 'userBytesPerEdit.received'].includes(name);
}

/** Two figures of one thing. */
function sentAndReceived(
  name: 'userNetworkKiBps' | 'userBytesPerEdit' | 'serverNetworkKiBps',
  columns: readonly [sent: string, received: string],
  parts: readonly [sent: Pick<Figure, 'label' | 'short'>, received: Pick<Figure, 'label' | 'short'>],
  shared: Pick<Figure, 'unit' | 'what'>,
): Figure[] {
  return (['sent', 'received'] as const).map((part, index) => ({
    ...PLAIN,
    name: `${name}.${part}`,
    ...parts[index]!,
    ...shared,
    source: mean(columns[index]!),
    places: ['resources', ...(isGrowthTold(`${name}.${part}`) ? ['scaling' as const] : [])],
  }));
}

export const RESOURCE_FIGURES: readonly Figure[] = [
  {
    ...PLAIN,
    name: 'serverCpuPercent',
    label: 'server CPU',
    short: ['server', 'CPU %'],
    ...CORE,
    what: 'the framework’s server process and its child processes',
    source: mean('serverCpuPercent'),
    places: ['series', 'terminal', 'report', 'resources', 'compare', 'scaling', 'sql'],
    chart: chart('server-cpu'),
  },
  {
    ...PLAIN,
    name: 'serverIdleCpuPercent',
    label: 'server CPU, idle',
    short: ['server', 'idle CPU %'],
    ...CORE,
    what: 'with all users connected, before anyone types; contained in server CPU',
    source: mean('serverIdleCpuPercent'),
    places: ['resources', 'sql'],
  },
  {
    ...PLAIN,
    name: 'serverMemoryMiB',
    label: 'server memory',
    short: ['server', 'MiB'],
    unit: 'MiB',
    what: 'the framework’s server process and its child processes',
    source: mean('serverMemoryMiB'),
    places: ['series', 'resources'],
  },
  {
    ...PLAIN,
    name: 'serverLoopDelayMs.p99',
    label: 'server’s event-loop delay, 99th percentile',
    short: ['loop', 'p99 ms'],
    unit: 'ms',
    what: 'how late the server’s process came to its work',
    scale: 'log',
    source: { pooled: 'quantile', samples: 'serverLoopDelayMs', p: 0.99 },
    places: ['resources'],
  },
  {
    ...PLAIN,
    name: 'serverMemoryKiBPer1000Edits',
    label: 'server memory per 1,000 edits',
    short: ['server', 'KiB/1,000'],
    unit: 'KiB',
    what: 'by how much it grew; below zero where it shrank',
    source: mean('serverMemoryKiBPer1000Edits'),
  },
  {
    ...PLAIN,
    name: 'userHeapMiB',
    label: 'page’s heap',
    short: ['heap', 'MiB'],
    unit: 'MiB',
    what: 'JavaScript objects of a user’s page in the end, after a garbage collection',
    source: mean('userHeapMiB'),
    places: ['resources'],
  },
  {
    ...PLAIN,
    name: 'userCpuPercent',
    label: 'user CPU',
    short: ['user', 'CPU %'],
    ...CORE,
    what: USER,
    source: mean('userCpuPercent'),
    places: ['series', 'terminal', 'report', 'resources', 'compare', 'sql'],
    chart: chart('user-cpu'),
  },
  {
    ...PLAIN,
    name: 'userCpuMsPerRemoteEdit',
    label: 'user CPU per remote edit',
    short: ['user', 'ms/remote edit'],
    unit: 'ms',
    what: 'CPU time of a user for each edit of another; what the own typing takes is in it',
    source: mean('userCpuMsPerRemoteEdit'),
    places: ['resources', 'scaling'],
  },
  {
    ...PLAIN,
    name: 'userMemoryMiB',
    label: 'user memory',
    short: ['user', 'MiB'],
    unit: 'MiB',
    what: USER,
    source: mean('userMemoryMiB'),
    places: ['series', 'terminal', 'report', 'resources', 'compare', 'sql'],
    chart: chart('user-memory', { over: ['users'] }),
  },
  {
    ...PLAIN,
    name: 'driverCpuPercent',
    label: 'driver CPU',
    short: ['driver', 'CPU %'],
    ...CORE,
    what: 'what drives the editors, for all users together',
    source: mean('driverCpuPercent'),
    places: ['terminal', 'report', 'sql'],
  },
  {
    ...PLAIN,
    name: 'driverCpuMsPerEdit',
    label: 'driver CPU per edit',
    short: ['driver', 'ms/edit'],
    unit: 'ms',
    what: 'CPU time of what drives the editors, for each edit performed',
    source: mean('driverCpuMsPerEdit'),
  },
  {
    ...PLAIN,
    name: 'machineCpuPercent',
    label: 'machine busy',
    short: ['machine', 'busy %'],
    unit: '%',
    unitOf: 'of all cores',
    what: 'whatever runs there, all cores together',
    source: mean('machineCpuPercent'),
    places: ['series', 'report'],
  },
  ...sentAndReceived(
    'userNetworkKiBps',
    ['userSentKiBps', 'userReceivedKiBps'],
    [
      { label: 'user network, sent', short: ['user', 'sent KiB/s'] },
      { label: 'user network, received', short: ['user', 'received KiB/s'] },
    ],
    { unit: 'KiB/s', what: 'WebSocket payload, per user' },
  ),
  ...sentAndReceived(
    'userBytesPerEdit',
    ['userSentBytesPerEdit', 'userReceivedBytesPerEdit'],
    [
      { label: 'bytes sent per own edit', short: ['bytes sent', 'per own edit'] },
      { label: 'bytes received per remote edit', short: ['bytes received', 'per remote edit'] },
    ],
    { unit: 'bytes', what: 'WebSocket payload of the users' },
  ),
  ...sentAndReceived(
    'serverNetworkKiBps',
    ['serverSentKiBps', 'serverReceivedKiBps'],
    [
      { label: 'server network, sent', short: ['server', 'sent KiB/s'] },
      { label: 'server network, received', short: ['server', 'received KiB/s'] },
    ],
    { unit: 'KiB/s', what: 'TCP payload, to and from all users' },
  ),
];

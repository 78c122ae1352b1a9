/** Faults that an experiment asks for while users type: servers that end and come back, what stands behind them, and lines to them that fail. */
import * as z from 'zod';
import { type AskedFaultKind, SERVER_FAULTS, type ServerFaultKind } from '../../results/formats/fault-records.ts';
import {
  type BlockValue,
  bandwidth,
  block,
  duration,
  list,
  oneOf,
  orNull,
  type Property,
  property,
  type Refuse,
  reshaped,
  wholeNumber,
  word,
} from './property.ts';
import { MOST_SERVERS } from './servers.ts';
import { formatBandwidth, formatDuration } from './units.ts';

/** A property that only some kinds of fault take; null: left out. */
function taken<Value, Unit extends string>(kind: Property<Value, Unit>, description: string) {
  return property(orNull(kind), { description, default: null });
}

const asWritten = block(
  {
    at: property(duration({ zero: true }), {
      description: 'When the fault begins, counted from the start of the warm-up.',
    }),
    server: taken(
      oneOf(['restart', 'pause', 'roll', 'apart']),
      'restart: the framework’s server crashes, and starts again after `downFor`. pause: it stands still. roll: all servers are ended in order and started again, one after the other. apart: it is cut off from the other servers, and from the broker that stands between them, and still serves its users.',
    ),
    which: taken(
      wholeNumber(1, MOST_SERVERS),
      'For restart, pause and apart: the number of the server that the fault strikes, from 1; null: all of them at once.',
    ),
    store: taken(oneOf(['restart']), 'restart: the store’s program crashes, and starts again after `downFor`.'),
    broker: taken(
      oneOf(['restart']),
      'restart: the broker between the servers crashes, and starts again after `downFor`.',
    ),
    downFor: taken(duration({ zero: false }), 'For restart and roll: how long each thing that ends is gone.'),
    network: taken(
      oneOf(['cut', 'slow']),
      'cut: nothing passes between users and server, and neither side is told. slow: messages pass as `oneWayDelay`, `jitter` and `bandwidth` say.',
    ),
    group: taken(
      word('the name of a group of the network'),
      'For network: the group of users that the fault strikes; null: everyone.',
    ),
    oneWayDelay: taken(
      duration({ zero: true }),
      'For network: slow. Delay between each of these users and the server, each way; null: unchanged.',
    ),
    jitter: taken(
      duration({ zero: true }),
      'For network: slow. How much longer or shorter a message’s delay may be; null: unchanged.',
    ),
    bandwidth: taken(bandwidth(), 'For network: slow. Bandwidth of each of these users, each way; null: unchanged.'),
    users: taken(wholeNumber(1), 'For offline: how many users, from user 0 on.'),
    go: taken(oneOf(['offline']), 'offline: the users’ machines lose their network and notice it; the users type on.'),
    for: taken(duration({ zero: false }), 'How long the fault lasts; restart and roll have `downFor` instead.'),
  },
  'a block such as { at: 30s, server: restart, downFor: 5s }',
);
type Written = BlockValue<typeof asWritten.properties>;

const time = z.number().nonnegative();
const lasts = { atMs: time, forMs: time };
/** Changes of a link in a slow network; null: that property stays as it is. */
const linkChange = z.object({
  oneWayDelayMs: time.nullable(),
  jitterMs: time.nullable(),
  bandwidthBytesPerSecond: z.number().positive().nullable(),
});
const group = z.string().nullable();

const resolved = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(SERVER_FAULTS), ...lasts, which: z.int().nonnegative().nullable().default(null) }),
  z.object({ kind: z.literal('network-cut'), ...lasts, group }),
  z.object({ kind: z.literal('network-slow'), ...lasts, group, change: linkChange }),
  z.object({ kind: z.literal('offline'), ...lasts, users: z.int().positive() }),
]);

export type AskedFault = z.output<typeof resolved>;

/** Beside when it begins, what each kind must say, and what it may. */
const SAYS: Record<AskedFaultKind, { tells: string; must: readonly Name[]; may: readonly Name[] }> = {
  'server-restart': { tells: 'server: restart', must: ['server', 'downFor'], may: ['which'] },
  'server-pause': { tells: 'server: pause', must: ['server', 'for'], may: ['which'] },
  'server-roll': { tells: 'server: roll', must: ['server', 'downFor'], may: [] },
  'server-apart': { tells: 'server: apart', must: ['server', 'for'], may: ['which'] },
  'store-restart': { tells: 'store: restart', must: ['store', 'downFor'], may: [] },
  'broker-restart': { tells: 'broker: restart', must: ['broker', 'downFor'], may: [] },
  'network-cut': { tells: 'network: cut', must: ['network', 'for'], may: ['group'] },
  'network-slow': {
    tells: 'network: slow',
    must: ['network', 'for'],
    may: ['group', 'oneWayDelay', 'jitter', 'bandwidth'],
  },
  offline: { tells: 'go: offline', must: ['users', 'go', 'for'], may: [] },
};
type Name = Exclude<keyof typeof asWritten.properties, 'at'>;

const fault = property(reshaped(asWritten, { resolved, reshape }), {
  description: 'A fault: its kind, its time, and the users that it strikes.',
});
export const faults = property(list(fault, { empty: true }), {
  description: 'Faults to inject while users type. A trial stays valid if a library bears them badly.',
  default: [],
});

function reshape(written: Written, refuse: Refuse): AskedFault {
  const { atMs } = written;
  const kind = kindOf(written);
  if (kind === null) {
    const all = Object.values(SAYS).map(({ tells }) => `"${tells}"`);
    refuse('at', `a fault is one thing, and this one is none or several; write one of ${all.join(', ')}`);
    return { kind: 'network-cut', atMs, forMs: 0, group: null };
  }
  refuseOthers(kind, written, refuse);
  const forMs = written.downForMs ?? written.forMs ?? 0;
  if (isServerFault(kind)) return { kind, atMs, forMs, which: written.which === null ? null : written.which - 1 };
  switch (kind) {
    case 'network-cut':
      return { kind, atMs, forMs, group: written.group };
    case 'network-slow':
      return { kind, atMs, forMs, group: written.group, change: changeOf(written, refuse) };
    case 'offline':
      return { kind, atMs, forMs, users: written.users ?? 1 };
  }
}

export function isServerFault(kind: AskedFaultKind): kind is ServerFaultKind {
  return (SERVER_FAULTS as readonly AskedFaultKind[]).includes(kind);
}

/** Null if it says none, or several. */
function kindOf({ server, store, broker, network, go }: Written): AskedFaultKind | null {
  const kinds: AskedFaultKind[] = [];
  if (server !== null) kinds.push(`server-${server}`);
  if (store !== null) kinds.push(`store-${store}`);
  if (broker !== null) kinds.push(`broker-${broker}`);
  if (network !== null) kinds.push(`network-${network}`);
  if (go !== null) kinds.push('offline');
  return kinds.length === 1 ? kinds[0]! : null;
}

/** Refuses properties that the fault's kind lacks or does not take. */
function refuseOthers(kind: AskedFaultKind, written: Written, refuse: Refuse): void {
  const { must, may, tells } = SAYS[kind];
  for (const [name, { unit, forms }] of Object.entries(asWritten.properties) as [
    Name | 'at',
    { unit: string; forms: string },
  ][]) {
    if (name === 'at') continue;
    const isThere = written[`${name}${unit}` as keyof Written] !== null;
    if (must.includes(name) && !isThere)
      refuse(name, `the fault "${tells}" needs "${name}", which is missing; write ${forms.replace(', or null', '')}`);
    if (isThere && ![...must, ...may].includes(name)) refuse(name, `"${tells}" does not take it; leave it out`);
  }
}

function changeOf(written: Written, refuse: Refuse): z.output<typeof linkChange> {
  const { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond } = written;
  if (oneWayDelayMs === null && jitterMs === null && bandwidthBytesPerSecond === null) {
    refuse('network', '"network: slow" takes at least one of oneWayDelay, jitter and bandwidth; write one');
  }
  if (oneWayDelayMs !== null && jitterMs !== null && jitterMs > oneWayDelayMs) {
    const delay = formatDuration(oneWayDelayMs);
    refuse(
      'jitter',
      `${formatDuration(jitterMs)} either way is more than the delay of ${delay}; write ${delay} or less`,
    );
  }
  return { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond };
}

/** A fault as people read it: `at 30s: the server ends, and starts anew 5s later`. */
export function formatFault(fault: AskedFault): string {
  const lasting = `for ${formatDuration(fault.forMs)}`;
  const at = `at ${formatDuration(fault.atMs)}: `;
  const anew = `ends, and starts anew ${formatDuration(fault.forMs)} later`;
  switch (fault.kind) {
    case 'server-restart':
      return `${at}${serverName(fault.which)} ${anew}`;
    case 'server-pause':
      return `${at}${serverName(fault.which)} stands still ${lasting}`;
    case 'server-roll':
      return `${at}one server after the other ${anew}`;
    case 'server-apart':
      return `${at}${serverName(fault.which)} is cut off from the others ${lasting}`;
    case 'store-restart':
      return `${at}the store ${anew}`;
    case 'broker-restart':
      return `${at}the broker ${anew}`;
    case 'network-cut':
      return `${at}the network of ${whose(fault.group)} is cut ${lasting}`;
    case 'network-slow':
      return `${at}the network of ${whose(fault.group)} is slow ${lasting}: ${formatChange(fault.change)}`;
    case 'offline':
      return `${at}${fault.users === 1 ? '1 user goes' : `${fault.users} users go`} offline ${lasting}`;
  }
}

function serverName(which: number | null): string {
  return which === null ? 'the server' : `server ${which + 1}`;
}

function whose(group: string | null): string {
  return group === null ? 'everyone' : `the users "${group}"`;
}

function formatChange({ oneWayDelayMs, jitterMs, bandwidthBytesPerSecond }: z.output<typeof linkChange>): string {
  return [
    ...(oneWayDelayMs === null ? [] : [`${formatDuration(oneWayDelayMs)} each way`]),
    ...(jitterMs === null ? [] : [`± ${formatDuration(jitterMs)}`]),
    ...(bandwidthBytesPerSecond === null ? [] : [formatBandwidth(bandwidthBytesPerSecond)]),
  ].join(', ');
}

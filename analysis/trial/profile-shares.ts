/** Shares of the code that a page's main thread ran: a CPU profile, sorted by the sources of its functions. */
import * as z from 'zod';

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.number(),
        columnNumber: z.number(),
      }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()).default([]),
  timeDeltas: z.array(z.number()).default([]),
});

export type CpuProfile = z.infer<typeof profileSchema>;

/** @throws Error where the text is no CPU profile as Chrome and Node write it */
export function parseProfile(text: string): CpuProfile {
  return profileSchema.parse(JSON.parse(text));
}

/** `browser` is what no script does: layout, painting, collecting garbage. */
export const OWNERS = ['framework', 'editor', 'browser', 'harness'] as const;
type Owner = (typeof OWNERS)[number];

export interface ProfileShares {
  /** Percent of the profiled time in which the thread did anything. */
  busyPercent: number;
  /** Percent of the profiled time, by whose code ran; they add up to `busyPercent`. */
  percentOf: Record<Owner, number>;
}

export type Place = CpuProfile['nodes'][number]['callFrame'];

/**
 * @param sourceOf the source file of a function in a bundle; null if it is not known, and then its caller's counts
 * @returns null if the profile has no time in it
 */
export function profileShares(
  { nodes, samples, timeDeltas }: CpuProfile,
  sourceOf: (place: Place) => string | null,
): ProfileShares | null {
  const totalUs = timeDeltas.reduce((sum, delta) => sum + Math.max(0, delta), 0);
  if (totalUs === 0) return null;
  const owners = ownersOf(nodes, sourceOf);
  const us: Record<Owner | 'idle', number> = { framework: 0, editor: 0, browser: 0, harness: 0, idle: 0 };
  for (const [index, node] of samples.entries())
    us[owners.get(node) ?? 'browser'] += Math.max(0, timeDeltas[index] ?? 0);
  const percentOf = Object.fromEntries(OWNERS.map((owner) => [owner, (100 * us[owner]) / totalUs]));
  return {
    busyPercent: 100 - (100 * us.idle) / totalUs,
    percentOf: percentOf as ProfileShares['percentOf'],
  };
}

/** Counts what the framework's sockets carry: the browser's `send` that it calls, the framework would have called. */
const PASSES_ON = /(^|\/)editors\/base\/(page|instrument)\/traffic\.ts$/;

/** The owner of each node. A function without a source of its own, such as one of the browser, does its caller's work. */
function ownersOf(nodes: CpuProfile['nodes'], sourceOf: (place: Place) => string | null) {
  const owners = new Map<number, Owner | 'idle'>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const waiting = nodes.filter(({ id }) => !children.has(id)).map((node) => ({ node, caller: 'browser' as Owner }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, caller } = next;
    const owner = ownerOf(node.callFrame, sourceOf) ?? caller;
    owners.set(node.id, owner);
    const callsForItself = owner !== 'idle' && !PASSES_ON.test(sourceOf(node.callFrame) ?? '');
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) waiting.push({ node: child, caller: callsForItself ? owner : caller });
    }
  }
  return owners;
}

/** The profiler's names for a thread that runs no function. */
const NO_FUNCTION: Readonly<Record<string, Owner | 'idle'>> = {
  '(idle)': 'idle',
  '(program)': 'browser',
  '(garbage collector)': 'browser',
};

function ownerOf(place: Place, sourceOf: (place: Place) => string | null): Owner | 'idle' | null {
  if (place.url === '') return NO_FUNCTION[place.functionName] ?? null;
  // Frameworks compiled to WebAssembly; the harness has none.
  if (place.url.startsWith('wasm:')) return 'framework';
  const source = sourceOf(place);
  return source === null ? null : ownerOfSource(source);
}

/** Packages that editors and frameworks share work for whoever calls them. */
const SHARED_PACKAGES = /(^|\/)node_modules\/(quill-delta|lodash[^/]*|eventemitter3|fast-diff|lib0)\//;
const EDITOR_PACKAGES = /(^|\/)node_modules\/(quill|parchment)\//;

/** The project's own rooms, and what the bundler adds; a source from anywhere else is one of a framework's from outside. */
const IN_PROJECT = /(^|\/)(editors\/base|harness|frameworks|analysis|infra|results|traces|cli)\/|(^|\W)vite\/|^[^/]*$/;

/** The owner of a source file, by its path in the project; null if the file works for its caller. */
function ownerOfSource(path: string): Owner | null {
  if (SHARED_PACKAGES.test(path)) return null;
  if (EDITOR_PACKAGES.test(path) || /(^|\/)editors\/base\/(quill|noquill)\//.test(path)) return 'editor';
  if (/(^|\/)node_modules\//.test(path)) return 'framework';
  if (/(^|\/)editors\/base\/binding\//.test(path) || /(^|\/)(editors|servers)\/(?!base\/)/.test(path))
    return 'framework';
  return IN_PROJECT.test(path) ? 'harness' : 'framework';
}

/** Worlds find what is broken, and nothing else; a seed repeats them. In one process, which takes one framework after the other. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CalledProcess } from '../../infra/process/calls.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { EXPLORED } from '../../tests/broken-frameworks/explored.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { playKeptWorlds } from '../check/kept-worlds.ts';
import { findFramework } from '../discover.ts';
import { drawWorld } from './draw.ts';
import { explore, replayWorld, type WorldFinding } from './explore.ts';
import { markOf, ONE_IN_MEMORY, type Step, type WorldUser } from './world.ts';
import type { Replayed, WorldCalls } from './world-process.ts';

const BROKEN_ENTRY = join(PROJECT_ROOT, 'tests/broken-frameworks/explore-main.ts');
const LIMIT_MS = 60_000;
const brokenBy = (name: string) => ({ name, kind: 'project', client: '', server: '' }) as const;
const { signal } = new AbortController();
const yjs = await findFramework('yjs-relay');
const options = { seed: 1, worlds: 1, say: () => {}, signal, onFinding: async () => {} };

describe('a world', () => {
  let player: CalledProcess<WorldCalls>;
  beforeAll(() => {
    player = new CalledProcess<WorldCalls>({ entry: BROKEN_ENTRY });
  });
  afterAll(() => player.end());

  test.each(EXPLORED)('finds what %s', async (name) => {
    expect(await player.call('load', brokenBy(name))).toBeNull();
    const { failed } = await player.call('play', { from: 1, count: 100_000, limitMs: LIMIT_MS, causes: [] });
    expect(failed).not.toBeNull();
  });
});

test('a state that never loads is none', async () => {
  const never = { ...yjs, name: 'neverLoads' };
  const played = await replayWorld(never, drawWorld(1), { signal, entry: BROKEN_ENTRY });
  const text = expect.stringMatching(/ holds nothing, and it is /);
  expect(played.broken).toMatchObject({ invariant: 'saved', text });
});

const SHARED = { servers: 3, hasStore: true };
/** A user who is at the server. */
const NEAR: WorldUser = { delayMs: 0, jitterMs: 0, receiveMs: 0, sendMs: 0, joinsMs: 0 };

async function replayed(name: string, users: WorldUser[], steps: Step[]): Promise<Replayed> {
  return replayWorld(await findFramework(name), { seed: 1, users, steps }, { signal });
}

test('another process plays a world as the first did, of one server and of several with a store', async () => {
  const framework = await findFramework('yjs-hocuspocus');
  for (const world of [drawWorld(7), drawWorld(7, SHARED)]) {
    const [one, other] = await Promise.all([1, 2].map(() => replayWorld(framework, world, { signal })));
    expect(other!.digest).toBe(one!.digest);
    expect(one!.broken).toBeNull();
  }
});

test('who reloads comes back when its library is done with leaving, however long that waits for the server', async () => {
  const far = { ...NEAR, delayMs: 2000 };
  const steps: Step[] = [
    { do: 'insert', atMs: 0, user: 1, place: 0, text: markOf(0), bold: false },
    { do: 'reload', atMs: 10, user: 1, forMs: 0 },
  ];
  const { broken, told } = await replayed('sharedb', [NEAR, far], steps);
  expect(broken).toBeNull();
  const { notes } = told.diagram;
  const leftMs = notes.find(({ text }) => text === 'leaves')!.atMs;
  const backMs = notes.find(({ atMs, who }) => who === 'b' && atMs > leftMs)!.atMs;
  // Its edit is answered first, and then each of three requests; by LEAVING_MS alone it would be 12,600.
  expect(backMs - leftMs).toBeGreaterThan(16_000);
});

test('a story says who learns late of a break, and what is lost by it', async () => {
  const cut = { do: 'cut', user: 1, swallows: 'both', swallowMs: 0, forMs: 50, clientLagMs: 0 } as const;
  const steps: Step[] = [
    { ...cut, atMs: 0, serverLagMs: 0, drains: true },
    { ...cut, atMs: 5000, serverLagMs: 8000, drains: false },
  ];
  const { told } = await replayed('yjs-relay', [NEAR, NEAR], steps);
  expect(told.story.filter((line) => line.includes('is cut off')).map((line) => line.slice(14))).toEqual([
    'b is cut off for 50 ms',
    'b is cut off for 50 ms, of which server learns after 8000 ms; what is on its way is lost',
  ]);
});

test('text is owed to nobody if nobody is there at the end', async () => {
  expect((await replayed('yjs-relay', [NEAR], [{ do: 'leave', atMs: 5, user: 0 }])).broken).toBeNull();
});

test('a failure with one cause is one finding, shrunk in a process of its own', async () => {
  const kept: WorldFinding[] = [];
  const { worlds, nextSeed, findings } = await explore(
    { ...yjs, name: 'savesAnOlderState' },
    {
      ...{ ...options, worlds: 20, entry: BROKEN_ENTRY, processes: 1 },
      onFinding: async (finding) => void kept.push(finding),
    },
  );
  expect(worlds).toBe(20);
  expect(nextSeed).toBe(21);
  expect(findings).toEqual(kept);
  expect(kept).toHaveLength(1);
  const [{ world, told, count, ...finding }] = kept as [WorldFinding];
  expect(finding).toMatchObject({ repeats: true, backing: ONE_IN_MEMORY, broken: { invariant: 'saved' } });
  expect(count).toBeGreaterThan(1);
  expect(world.steps.length).toBeLessThan(drawWorld(world.seed).steps.length);
  expect(told.story.length).toBeLessThanOrEqual(30);
  expect(told.story.at(-1)).toMatch(/^saved: the saved state of a holds /);
});

test('what is being shrunk as somebody interrupts is kept as it was found', async () => {
  await using folder = await temporaryFolder();
  const [entry, starts] = [folder.in('noting.mjs'), folder.in('starts')];
  const noting = `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(starts)}, '.');`;
  await folder.put('noting.mjs', `${noting}\nawait import(${JSON.stringify(BROKEN_ENTRY)});\n`);
  const interrupt = new AbortController();
  const kept: WorldFinding[] = [];
  const exploring = explore(
    { ...yjs, name: 'savesAnOlderState' },
    {
      ...{ ...options, worlds: 20, entry, processes: 1, signal: interrupt.signal },
      onFinding: async (finding) => void kept.push(finding),
    },
  );
  const ended = expect(exploring).rejects.toThrow('enough');
  // The second is to shrink it.
  await expect.poll(() => readFile(starts, 'utf8').catch(() => '')).toBe('..');
  interrupt.abort(new Error('enough'));
  await ended;
  const text = expect.stringMatching(/it was not shrunk: interrupted$/);
  expect(kept).toMatchObject([{ broken: { invariant: 'saved', text }, repeats: false }]);
});

test.each([
  ['endsItsProcess', 'the process that played it ended with exit code 3'],
  ['neverRests', 'the process that played it did not rest for 2 s'],
])('a world in which a library %s is found, and others are played', async (name, text) => {
  const { worlds, findings } = await explore(
    { ...yjs, name },
    { ...options, worlds: 3, entry: BROKEN_ENTRY, processes: 1, silentSeconds: 2 },
  );
  expect(worlds).toBe(3);
  expect(findings).toMatchObject([{ broken: { invariant: 'sound', text }, repeats: true, count: expect.any(Number) }]);
  expect(findings[0]!.told.story).toEqual([`sound: ${text}`]);
});

test('worlds before one that ends its process count, too', async () => {
  const late = { ...yjs, name: 'endsLate' };
  const { worlds, findings } = await explore(late, { ...options, worlds: 20, entry: BROKEN_ENTRY, processes: 1 });
  expect(worlds).toBe(20);
  // The process that plays it again plays nothing before it.
  expect(findings).toMatchObject([{ broken: { invariant: 'sound' }, repeats: false }]);
});

test('a process that ends between two batches is no finding: another plays what is left, and each world counts once', async () => {
  const order = { ...options, worlds: 70, entry: BROKEN_ENTRY, processes: 1 };
  const { worlds, nextSeed, findings } = await explore({ ...yjs, name: 'endsBetweenBatches' }, order);
  expect(findings).toEqual([]);
  expect([worlds, nextSeed]).toEqual([70, 71]);
});

test('after a few processes that play nothing, no other is started', async () => {
  await using folder = await temporaryFolder();
  const [entry, starts] = [folder.in('gone.cjs'), folder.in('starts')];
  const program = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, '.'); process.exit(3);`;
  await folder.put('gone.cjs', program);
  const playing = explore(yjs, { ...options, worlds: 5, entry, processes: 1 });
  await expect(playing).rejects.toThrow('the process that plays its worlds ended with exit code 3');
  expect(await readFile(starts, 'utf8')).toBe('...');
});

test('a server that is a program of its own is not explored, and neither is one writer', async () => {
  const loopback = await findFramework('loopback');
  expect((await explore(loopback, options)).why).toMatch(/one writer/);
  const about = { ...loopback.about, oneWriter: false, needs: { python: '3.11' } };
  expect((await explore({ ...loopback, about }, options)).why).toMatch(/program of its own/);
  const sharedb = await findFramework('sharedb');
  const several = { ...options, backing: { servers: 3, hasStore: false } };
  expect((await explore(yjs, several)).why).toMatch(/no way for several servers/);
  const elsewhere = { ...sharedb, about: { ...sharedb.about, stores: {} } };
  expect((await explore(elsewhere, several)).why).toMatch(/only by postgres/);
  const stored = { ...options, backing: { servers: 1, hasStore: true } };
  expect((await explore(yjs, stored)).why).toMatch(/no store that worlds have/);
});

test('a kept world whose packages cannot be installed is told, and leaves the others to be played', async () => {
  const sharedb = await findFramework('sharedb');
  const severalServers = { ...sharedb.about.severalServers!, packages: ['no-such-package'] };
  const lacking = { ...sharedb, about: { ...sharedb.about, severalServers } };
  const message = expect.stringMatching(/^world 2: package-lock\.json has no "no-such-package"/);
  expect(await playKeptWorlds(lacking, signal)).toEqual({ outcome: 'not supported', message });
});

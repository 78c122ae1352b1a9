/** The parts of exploring that play nothing: drawing, shrinking, files. */
import { describe, expect, test } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import { drawDiagram } from './diagram.ts';
import { drawWorld } from './draw.ts';
import { INVARIANTS } from './invariants.ts';
import { readWorlds, writeWorlds } from './kept-worlds.ts';
import { shrinkWorld } from './shrink.ts';
import type { Stage } from './stage.ts';
import {
  EDITS,
  FAULTS,
  kindsOf,
  markOf,
  marksIn,
  ONE_IN_MEMORY,
  type Step,
  type World,
  withoutKinds,
  worldSchema,
} from './world.ts';

const worlds = Array.from({ length: 400 }, (_, seed) => drawWorld(seed, { servers: seed < 300 ? 1 : 3 }));

test('the same seed draws the same world, in order and within the form; each kind is in some and not in others', () => {
  expect(drawWorld(7)).toEqual(worlds[7]);
  for (const world of worlds) {
    expect(worldSchema.parse(world)).toEqual(world);
    expect(world.steps.every((step, index) => index === 0 || step.atMs >= world.steps[index - 1]!.atMs)).toBe(true);
    const marks = world.steps.flatMap((step) => (step.do === 'insert' ? marksIn(step.text) : []));
    expect(new Set(marks).size).toBe(marks.length);
  }
  for (const kind of [...EDITS, ...FAULTS]) {
    const having = worlds.filter((world) => kindsOf(world).has(kind)).length;
    expect(having, kind).toBeGreaterThan(5);
    if (kind !== 'insert') expect(having, kind).toBeLessThan(worlds.length);
  }
  const sized = drawWorld(7, { size: { users: 4, edits: 100 } });
  expect(sized.users).toHaveLength(4);
  const edits = sized.steps.filter((step) => EDITS.some((kind) => kind === step.do));
  expect(edits).toHaveLength(100);
});

test('several servers leave the rest of a world as it is: they add faults and what is replaced, and at some one only watches', () => {
  const shared = worlds.slice(300);
  expect(shared.some(({ steps }) => steps.some((step) => step.do === 'insert' && step.over !== undefined))).toBe(true);
  for (const [index, { users, servers, steps }] of shared.entries()) {
    const alone = drawWorld(300 + index);
    expect([servers?.length, alone.servers]).toEqual([3, undefined]);
    expect(users).toEqual(alone.users);
    const before = new Set(alone.steps.map((step) => JSON.stringify({ ...step, atMs: 0 })));
    for (const step of steps.filter((each) => each.do !== 'apart' && each.do !== 'broker')) {
      const { over: _, server: __, ...same } = step as Step & { over?: number; server?: number };
      expect(before).toContain(JSON.stringify({ ...same, atMs: 0 }));
    }
  }
});

test('a store leaves the rest of a world as it is, but for a night in some: all leave, every server is killed, and nobody comes', () => {
  // Among these seeds are some by which somebody would come at night.
  const nights = Array.from({ length: 50 }, (_, index) => {
    const seed = 300 + index;
    const [alone, stored] = [drawWorld(seed, { servers: 3 }), drawWorld(seed, { servers: 3, hasStore: true })];
    expect(worldSchema.parse(stored)).toEqual(stored);
    expect(stored.store).toBeDefined();
    expect({ ...stored, steps: [], store: undefined, users: [] }).toEqual({ ...alone, steps: [], users: [] });
    const added = stored.steps.length - alone.steps.length;
    const joinsOf = ({ users }: World) => users.map(({ joinsMs }) => joinsMs);
    expect(withoutKinds(stored, ['join']).users).toEqual(withoutKinds(alone, ['join']).users);
    if (added === 0) {
      expect(joinsOf(stored)).toEqual(joinsOf(alone));
      return false;
    }
    const fromStep = stored.steps.findIndex((step) => step.do === 'reload' && step.forMs === 40_000);
    const night = stored.steps.slice(fromStep, fromStep + added);
    expect(night).toHaveLength(alone.users.length + 3);
    const leave = alone.users.map((_, user) => expect.objectContaining({ do: 'reload', forMs: 40_000, user }));
    expect(night.slice(0, -3)).toEqual(expect.arrayContaining(leave));
    expect(night.slice(-3)).toMatchObject([0, 1, 2].map((server) => ({ do: 'restart', server })));
    const [leftMs, backMs] = [night[0]!.atMs, night.at(-4)!.atMs + 40_000];
    expect(joinsOf(stored).filter((joinsMs) => joinsMs >= leftMs && joinsMs <= backMs)).toEqual([]);
    return true;
  });
  expect(new Set(nights).size).toBe(2);
});

test('a world shrinks to the steps and users that it fails by', async () => {
  const world = worlds.find((each) => each.users.length > 2 && kindsOf(each).has('cut'))!;
  const fails = async ({ steps }: World) =>
    steps.some((step) => step.do === 'cut') && steps.some((step) => step.do === 'insert');
  const { world: smallest, isSmallest } = await shrinkWorld(world, fails);
  expect(isSmallest).toBe(true);
  expect(smallest.steps.map((step) => step.do).sort()).toEqual(['cut', 'insert']);
  expect(smallest.users.length).toBeLessThanOrEqual(2);
  expect(await fails(smallest)).toBe(true);
});

test('no number grows as a world shrinks', async () => {
  const near = { delayMs: 1, jitterMs: 0, receiveMs: 0, sendMs: 0, joinsMs: 0 };
  const step: Step = { do: 'reload', atMs: 0, user: 0, forMs: 2 };
  const fails = async ({ users, steps }: World) =>
    users[0]!.delayMs > 0 && steps.some((each) => each.do === 'reload' && each.forMs > 0);
  const { world } = await shrinkWorld({ seed: 1, users: [near], steps: [step] }, fails);
  expect(world).toMatchObject({ users: [{ delayMs: 1 }], steps: [{ forMs: 2 }] });
});

test('an error without a value breaks a world, too, and one through WebAssembly or a native function is told by the code that called that', () => {
  const sound = INVARIANTS.find(({ id }) => id === 'sound')!;
  const brokenBy = (...thrown: unknown[]) =>
    sound.broken({ thrown } as unknown as Stage, { restMessages: 0, saved: null, held: [] });
  expect(brokenBy()).toBeNull();
  expect(brokenBy(undefined)).toMatch(/^a promise was rejected, or something thrown, without a reason/);
  const error = new Error('no such item');
  const glue = 'module.exports.__wbindgen_error_new (file:///a/node_modules/loro-crdt/nodejs/loro_wasm.js:8513:17)';
  error.stack = `Error: no such item\n    at ${glue}\n    at wasm://wasm/0123:wasm-function[12]:0x3a`;
  expect(brokenBy(error)).toBe(`no such item (${glue.replace('file:///a/', '')})`);
  error.stack += '\n    at edit (file:///a/editors/loro/document.ts:7:3)\n    at run (file:///a/b.ts:1:1)';
  expect(brokenBy(error)).toBe('no such item (edit (editors/loro/document.ts:7:3))');
  error.stack = 'Error: no such item\n    at Uint8Array.set (<anonymous>)\n    at pack (file:///a/servers/pack.ts:9:1)';
  expect(brokenBy(error)).toBe('no such item (pack (servers/pack.ts:9:1))');
});

describe('a file of worlds', () => {
  const folder = folderOfAllTests();
  const read = () => readWorlds(folder.in('worlds.jsonl'));
  const typing = (text: string): Step => ({ do: 'insert', atMs: 0, user: 0, place: 0, text, bold: false });
  const written = async (change: (line: Record<string, unknown>) => object, world = worlds[0]!) => {
    const told = { story: [], diagram: { names: [], notes: [], messages: [] } };
    const broken = { invariant: 'agree', text: 'they differ' };
    const by = { framework: 'one', frameworkVersion: '1.0.0', backing: ONE_IN_MEMORY };
    await writeWorlds(folder.in('worlds.jsonl'), [{ ...by, world, broken, told, after: [], count: 1, repeats: true }]);
    const [line] = await read();
    await folder.put('worlds.jsonl', `\n${JSON.stringify(change(line!))}\n`);
    return read();
  };

  test('is read as it was written, and as files of the first form are', async () => {
    const [line] = await written((same) => same, { ...worlds[0]!, store: { delayMs: 1 } });
    expect(line).toMatchObject({ worldVersion: 3, framework: 'one', invariant: 'agree' });
    expect(line!.world).toEqual({ ...worlds[0], store: { delayMs: 1 } });
    expect(await written((former) => ({ ...former, worldVersion: 1 }))).toMatchObject([{ world: worlds[0] }]);
  });

  test.each<[string, (line: Record<string, unknown>) => object, string]>([
    [
      'of another format',
      (line) => ({ ...line, worldVersion: 9, scriptorium: '7.1.0' }),
      'replay it with version 7.1.0',
    ],
    ['without its world', ({ world: _, ...line }) => line, 'line 2: no world: world'],
    [
      'with text that has no mark',
      (line) => ({ ...line, world: { ...worlds[0], steps: [typing('abc')] } }),
      'world.steps.0.text is no mark with text behind it',
    ],
    [
      'with text twice',
      (line) => ({ ...line, world: { ...worlds[0], steps: [typing(markOf(0)), typing(markOf(0))] } }),
      'world.steps have two insertions with one mark',
    ],
    [
      'with a step of no kind',
      (line) => ({ ...line, world: { ...worlds[0], steps: [{ do: 'fly', atMs: 1 }] } }),
      'world.steps.0',
    ],
  ])('%s is refused', async (_what, change, message) => {
    await expect(written(change)).rejects.toThrow(message);
  });

  test('that is none is refused', async () => {
    await folder.put('worlds.jsonl', 'hello\n');
    await expect(read()).rejects.toThrow('line 1: no world, but');
    await expect(readWorlds(folder.in('nothing'))).rejects.toThrow('cannot be read');
  });
});

test('a picture has a line for each user and the server, an arrow for each message, and a cross for one that is lost', () => {
  const message = { from: 'a', to: 'server', sentMs: 0, arrivesMs: 5 };
  const svg = drawDiagram({
    names: ['a', 'b', 'server'],
    notes: [{ atMs: 1, who: 'b', text: 'types "<"' }],
    messages: [
      { ...message, isLost: false },
      { ...message, isLost: true },
    ],
  });
  expect(svg.match(/class="m"/g)).toHaveLength(1);
  expect(svg.match(/×/g)).toHaveLength(1);
  expect(svg).toContain('types "&lt;"');
  expect(svg).toContain('>server<');
});

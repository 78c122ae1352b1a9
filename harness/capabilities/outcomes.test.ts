/** Every program, in this process: what is kept for the document must be what they give. */
import { describe, expect, test } from 'vitest';
import { CAPABILITIES, LIBRARIES } from './capabilities.ts';
import { outcomesOf, readOutcomes, versionOf } from './outcomes.ts';
import { runProgram } from './run-program.ts';

const kept = await readOutcomes();

describe.each(LIBRARIES)('$name', (library) => {
  test('the outcomes are of the version that is installed: check --capabilities --keep', () => {
    expect(kept[library.name]?.version).toBe(versionOf(library));
  });

  test.each(CAPABILITIES)('$id', async (capability) => {
    expect(await runProgram(capability, library)).toEqual(kept[library.name]?.outcomes[capability.id]);
  });
});

test('each mark but ✓ has its reason', () => {
  const all = Object.values(kept).flatMap(({ outcomes }) => Object.values(outcomes));
  expect(all).toHaveLength(CAPABILITIES.length * LIBRARIES.length);
  expect(all.filter(({ mark, why }) => (mark === 'yes') !== (why === undefined))).toEqual([]);
});

const [yjs] = LIBRARIES;
const cells = CAPABILITIES.map((capability) => ({ capability, library: yjs!, outcome: { mark: 'yes' as const } }));

test('a library’s outcomes take the place of those that were kept, and the others’ stay', () => {
  const { yjs: before, ...others } = outcomesOf([], kept);
  const { yjs: after, ...stayed } = outcomesOf(cells, kept);
  expect(Object.values(after!.outcomes)).toEqual(CAPABILITIES.map(() => ({ mark: 'yes' })));
  expect(after).not.toEqual(before);
  expect(stayed).toEqual(others);
  expect(Object.keys(outcomesOf(cells, {}))).toEqual(['yjs']);
});

test('a program that failed, or that was not run, keeps all from being kept', () => {
  expect(() => outcomesOf(cells.slice(1), kept)).toThrow('1 programs of yjs were not run');
  const [first, ...rest] = cells;
  expect(() => outcomesOf([{ ...first!, outcome: { failed: 'it threw' } }, ...rest], kept)).toThrow('nothing was kept');
});

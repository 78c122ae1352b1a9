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

test('a program that failed, or that was not run, keeps all from being kept', () => {
  const cells = CAPABILITIES.flatMap((capability) =>
    LIBRARIES.map((library) => ({ capability, library, outcome: { mark: 'yes' as const } })),
  );
  expect(Object.keys(outcomesOf(cells))).toEqual(LIBRARIES.map(({ name }) => name));
  expect(() => outcomesOf(cells.slice(1))).toThrow('1 programs were not run');
  const [first, ...rest] = cells;
  expect(() => outcomesOf([{ ...first!, outcome: { failed: 'it threw' } }, ...rest])).toThrow('nothing was kept');
});

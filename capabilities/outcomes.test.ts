/** Every program whose packages are here: what is kept for the document must be what they give. */
import { describe, expect, test } from 'vitest';
import { CAPABILITIES, type Capability, isHere, LIBRARIES, type Library, runProgram } from './capabilities.ts';
import { outcomesOf, readOutcomes, versionOf } from './outcomes.ts';
import { type CellOutcome, runCapabilities } from './run-capabilities.ts';

const kept = await readOutcomes();

/** In this process, but for programs whose packages are in the cache: what loads modules in tests does not look there. */
async function outcomeOf(capability: Capability, library: Library): Promise<CellOutcome> {
  if (library.onDemand === undefined) return runProgram(capability, library);
  const { signal } = new AbortController();
  const [cell] = await runCapabilities({ libraries: [library], capabilities: [capability], signal });
  return cell!.outcome;
}

describe.each(LIBRARIES)('$name', (library) => {
  test('the outcomes are of the version that is installed: check --capabilities --keep', () => {
    expect(kept[library.name]?.version).toBe(versionOf(library));
  });

  test.skipIf(!isHere(library)).each(CAPABILITIES)('$id', async (capability) => {
    expect(await outcomeOf(capability, library)).toEqual(kept[library.name]?.outcomes[capability.id]);
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

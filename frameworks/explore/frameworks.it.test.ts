/** Worlds of every framework that can be explored: none breaks an invariant, but by a known issue, and its decoder takes all messages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CalledProcess } from '../../infra/process/calls.ts';
import { discoverFrameworks } from '../discover.ts';
import { knownCausesOf } from './causes.ts';
import { drawWorld } from './draw.ts';
import { whyNotExplored } from './explorable.ts';
import { ENTRY } from './player.ts';
import { NOT_DECODED } from './trace.ts';
import type { WorldCalls } from './world-process.ts';

/** Always the same, however busy the machine is, so that a failure is the change's; .ci/run plays these and more of each. */
const ORDER = { from: 1, count: 4, limitMs: 60_000 };
const explorable = (await discoverFrameworks()).filter(
  ({ about }) => about.onDemand === undefined && whyNotExplored(about) === null,
);

/** One process, which takes one framework after the other. */
let player: CalledProcess<WorldCalls>;
beforeAll(() => {
  player = new CalledProcess<WorldCalls>({ entry: ENTRY });
});
afterAll(() => player.end());

test.each(explorable.map((framework) => [framework.name, framework] as const))('worlds of %s', async (_name, found) => {
  const { name, kind, client, server, about } = found;
  expect(await player.call('load', { name, kind, client, server })).toBeNull();
  const { failed, worlds, repeats } = await player.call('play', { ...ORDER, causes: knownCausesOf(about) });
  expect(failed).toBeNull();
  expect(worlds).toBe(ORDER.count);
  expect(repeats.same).toBe(repeats.tried);
  for (let seed = ORDER.from; seed < ORDER.from + ORDER.count; seed++) {
    const { trace, told } = await player.call('replay', drawWorld(seed), { isTraced: true });
    expect(trace).toHaveLength(told.diagram.messages.length);
    expect(trace.filter((line) => line.includes(NOT_DECODED))).toEqual([]);
  }
});

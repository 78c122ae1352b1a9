/** The causes of failed worlds, without playing any. */
import { describe, expect, test } from 'vitest';
import { type Cause, causeOf, failsAlike } from './causes.ts';
import { drawWorld } from './draw.ts';
import type { Broken } from './play.ts';
import { shrinkFailure } from './shrink.ts';
import { kindsOf, type World, withoutKinds } from './world.ts';

const AGREE: Broken = { invariant: 'agree', text: 'they differ' };
const faulty = Array.from({ length: 400 }, (_, seed) => drawWorld(seed)).find((world) =>
  ['cut', 'close', 'restart'].every((kind) => kindsOf(world).has(kind)),
)!;
/** Fails as the first of these whose kinds all happen in a world. */
const failingBy =
  (...failures: readonly { kinds: readonly string[]; broken?: Broken }[]) =>
  async (world: World) => {
    const kinds = kindsOf(world);
    const failure = failures.find((each) => each.kinds.every((kind) => kinds.has(kind)));
    return failure === undefined ? null : (failure.broken ?? AGREE);
  };

test('a known issue that needs no fault explains no failure that needs one, and none of another invariant', async () => {
  const of = { broken: AGREE, causes: [{ invariants: ['agree'], after: [] }] };
  expect(await causeOf(faulty, { ...of, play: failingBy({ kinds: ['cut'] }) })).toBe(-1);
  expect(await causeOf(faulty, { ...of, play: failingBy({ kinds: [] }) })).toBe(0);
  const other = { kinds: [], broken: { invariant: 'kept', text: 'it is missing' } };
  expect(await causeOf(faulty, { ...of, play: failingBy({ kinds: ['cut'] }, other) })).toBe(-1);
});

test('known issues that break different invariants explain a world together, and nothing that is left then', async () => {
  const lost = { kinds: ['close'], broken: { invariant: 'connected', text: 'b is lost' } };
  const causes = [
    { invariants: ['connected'], after: ['close'] },
    { invariants: ['agree'], after: ['restart'] },
  ];
  const of = { broken: AGREE, causes };
  expect(await causeOf(faulty, { ...of, play: failingBy({ kinds: ['restart'] }, lost) })).toBe(1);
  expect(await causeOf(faulty, { ...of, play: failingBy({ kinds: ['restart'] }, lost, { kinds: ['cut'] }) })).toBe(-1);
});

describe('a finding that needs two faults', () => {
  const finding = { invariants: ['agree'], after: ['cut', 'restart'], needsAll: true } as const;
  const byBoth = { kinds: ['cut', 'restart'] };
  const placeOf = (world: World, play: ReturnType<typeof failingBy>, causes: readonly Cause[] = [finding]) =>
    causeOf(world, { broken: AGREE, causes, play });

  test('explains a world that needs both', async () => {
    expect(await placeOf(faulty, failingBy(byBoth))).toBe(0);
  });

  test.each(['cut', 'restart', 'close'])('explains none that needs only one: a %s', async (kind) => {
    expect(await placeOf(faulty, failingBy({ kinds: [kind] }))).toBe(-1);
    expect(await placeOf(faulty, failingBy(byBoth, { kinds: [kind] }))).toBe(-1);
    const alone = withoutKinds(faulty, kind === 'cut' ? ['restart'] : ['cut']);
    expect(await placeOf(alone, failingBy({ kinds: [kind] }))).toBe(-1);
  });

  test('explains a world together with one that needs only one', async () => {
    const play = failingBy(byBoth, { kinds: ['cut'] });
    const other = { invariants: ['agree'], after: ['cut'], needsAll: true } as const;
    expect(await placeOf(faulty, play, [finding, other])).toBe(0);
    expect(await placeOf(withoutKinds(faulty, ['restart']), play, [finding, other])).toBe(1);
  });

  test('asks for few plays of a world, however many findings may explain it', async () => {
    let plays = 0;
    const kinds = [...kindsOf(faulty)].filter((kind) => kind !== 'insert');
    const causes = kinds.flatMap((one) =>
      kinds.map((other): Cause => ({ invariants: ['agree'], after: [one, other], needsAll: true })),
    );
    // Each is explained only if what is left is, down to a world that holds.
    const play = async (world: World) => {
      plays++;
      return kindsOf(world).size > 1 ? AGREE : null;
    };
    await causeOf(faulty, { broken: AGREE, causes, play });
    expect(plays).toBeLessThanOrEqual(60);
  });
});

test('a world shrinks to no failure that is known, nor to an error from elsewhere', async () => {
  const play = failingBy({ kinds: ['restart'] }, { kinds: ['cut', 'close'] });
  const causes = [{ invariants: ['agree'], after: ['restart'] }];
  const { world: smallest } = await shrinkFailure(faulty, { broken: AGREE, causes, play });
  expect([...kindsOf(smallest)].sort()).toEqual(['close', 'cut']);
  const [here, there] = [7, 8].map((line) => ({ invariant: 'sound', text: `no such item (f (library.js:${line}:1))` }));
  const error = { kinds: ['cut'], broken: here! };
  const { world: elsewhere } = await shrinkFailure(faulty, {
    ...{ broken: here!, causes: [] },
    play: failingBy(error, { kinds: [], broken: there! }),
  });
  expect([...kindsOf(elsewhere)]).toEqual(['cut']);
});

test('a known issue may name the words by which it shows, and that it needs a store that takes time', async () => {
  const broken = { invariant: 'kept', text: '"[0]" of a is missing' };
  const cause = { invariants: ['kept'], after: ['cut'] };
  const placeOf = (world: World, cause: Cause, play = failingBy({ kinds: ['cut'] })) =>
    causeOf(world, { broken, causes: [cause], play });
  expect(await placeOf(faulty, { ...cause, says: ' is missing' })).toBe(0);
  expect(await placeOf(faulty, { ...cause, says: ' are missing' })).toBe(-1);
  const waiting = { ...cause, waitsForStore: true } as const;
  const [far, near] = [20, 0].map((delayMs) => ({ ...faulty, store: { delayMs } }));
  const slow = async (world: World) => (kindsOf(world).has('cut') && world.store?.delayMs !== 0 ? broken : null);
  expect(await Promise.all([far!, near!, faulty].map((world) => placeOf(world, waiting, slow)))).toEqual([0, -1, -1]);
  expect(await placeOf(far!, waiting)).toBe(-1);
});

test('errors without a place are alike if they say the same', () => {
  const thrown = (text: string): Broken => ({ invariant: 'sound', text });
  expect(failsAlike(thrown('unreachable'), thrown('unreachable'))).toBe(true);
  expect(failsAlike(thrown('unreachable'), thrown('no such item'))).toBe(false);
  expect(failsAlike(AGREE, { ...AGREE, text: 'they differ elsewhere' })).toBe(true);
});

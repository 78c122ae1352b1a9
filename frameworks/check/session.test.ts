import { expect, test } from 'vitest';
import { CHECK_SIZES } from './properties.ts';
import { ConformanceSession } from './session.ts';

const session = new ConformanceSession({
  ...({} as Pick<ConstructorParameters<typeof ConformanceSession>[0], 'browser' | 'pageUrl' | 'server' | 'session'>),
  ...{ seed: 1, agreeLimitMs: 200, hasPresence: false, size: CHECK_SIZES.brief },
});

/** Something is wrong until so many ms have passed. */
function wrongFor(ms: number) {
  const untilMs = performance.now() + ms;
  return session.until(async () => (performance.now() < untilMs ? 'they differ' : null));
}

test('what agrees late is too slow, and what never agrees is wrong', async () => {
  await wrongFor(50);
  await expect(wrongFor(300)).rejects.toThrow(/^too slow: they differ after 0\.2 s; it took [\d.]+ s$/);
  await expect(wrongFor(60_000)).rejects.toThrow(/^after [\d.]+ s they differ$/);
});

/** Material for simulations: seeded normal deviates. */
import * as prng from 'lib0/prng';

/**
 * Standard normal deviates from a seeded generator, two made at a time.
 *
 * @see Box & Muller 1958, "A note on the generation of random normal deviates"
 */
export function normalDeviates(generator: prng.PRNG): () => number {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const deviate = spare;
      spare = null;
      return deviate;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - prng.real53(generator)));
    const angle = 2 * Math.PI * prng.real53(generator);
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

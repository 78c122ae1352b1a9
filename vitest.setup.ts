/**
 * Property tests draw the same cases every time, so that a failure means a change, not luck. `SCRIPTORIUM_SEED=7` draws
 * others; a failure prints its seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SCRIPTORIUM_SEED ?? 2023) });

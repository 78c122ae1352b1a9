/** Loro: a relay, and nothing else. */
export { relay as server } from '../relay.ts';

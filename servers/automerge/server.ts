/** Automerge: a relay of changes, which it does not look into. */
export { relay as server } from '../relay.ts';

/** my-framework: a relay, and nothing else. */
// TO WRITE: nothing, if a newcomer is to get every message there ever was. A library that can make one saved state of
// many messages gives `createRelay({ compact })` instead, and its document an `open` that takes over such a state.
export { relay as server } from '../../../../../servers/kit.ts';

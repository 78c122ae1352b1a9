/** Everything that the server half of a framework is written with; the client half has `editors/base/kit.ts`. */
export { childServer, type ListenOn, type Program } from './child-server.ts';
export { frameworkServer, LARGEST_MESSAGE_BYTES } from './listen.ts';
export { type Compact, createRelay, type RelayOptions, type RelayServer, relay } from './relay.ts';
export {
  ALONE_IN_MEMORY,
  type Backing,
  type Connections,
  type FrameworkServer,
  type RunningServer,
  type Serve,
  type ServerChild,
  type StandIn,
  type StorePlace,
  type Together,
} from './server.ts';

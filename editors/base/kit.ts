/**
 * The toolkit of a framework's client half. A framework imports from here and from no other file of `editors/base/`, which
 * may be rearranged. Its server half has `servers/kit.ts`, its tests have `tests/relayed-suite.ts`. Docstrings stand at the
 * declarations.
 */

export { type Batcher, createBatcher, gatherReceived } from './binding/batching.ts';
export { bindEditor, type EditorBinding, type PackedEditor, packedEditor } from './binding/binding.ts';
export { LINE_FORMAT, packLineFormats, unpackLineFormats } from './binding/line-formats.ts';
export {
  type ConnectionWatch,
  createLastingSocket,
  type LastingSocket,
  type LastingSocketOptions,
  type WatchOptions,
  watchConnection,
  whyNotOpened,
} from './binding/reconnecting.ts';
export type { PresenceJoin, RelayedPresence } from './binding/relayed.ts';
export { joinThroughRelay, type RelayedDocument } from './binding/relayed.ts';
export { type LibraryPresence, type PlacedCursor, type SharedCursors, shareCursors } from './binding/shared-cursors.ts';
export { canonicalDelta, composeAll, formatsSet } from './delta.ts';
export type { Editor } from './editor.ts';
export type {
  Batching,
  Crowd,
  FrameworkAbout,
  FrameworkClient,
  JoinOptions,
  KnownIssue,
  Presence,
  PresenceMeans,
  Replica,
  TurnedAwayAs,
} from './framework.ts';

/** The client half of a framework. Runs in Chrome and in Node; holds no timing, validation or time-outs of its own. */
import type Delta from 'quill-delta';
import type { Editor } from './editor.ts';

/** How a client gathers what it sends and receives. 0 means: at once, message by message. */
export interface Batching {
  receiveMs: number;
  sendMs: number;
}

export interface JoinOptions {
  /** WebSocket address of the framework's server, such as `ws://127.0.0.1:4021`. */
  url: string;
  documentId: string;
  editor: Editor;
  batching: Batching;
  /** Called once where the connection is gone and the library does not bring it back by itself. */
  onLost: (reason: string) => void;
}

/** `editors/<name>/client.ts` exports one as `client`. */
export interface FrameworkClient {
  /** Resolves once the document is loaded, bound to the editor, and follows the server. */
  join(options: JoinOptions): Promise<Replica>;
}

/** One user's copy of the document. */
export interface Replica {
  /** What the model holds; must equal what the editor shows. */
  contents(): Delta;
  /** The framework's own serialised state. */
  save(): Uint8Array;
  leave(): Promise<void>;
}

/** `editors/<name>/about.ts` exports one as `about`: what the framework is and can do. Its version is its package's. */
export interface FrameworkAbout {
  /** The npm package whose installed version is the framework's version; null for the project's own `loopback`. */
  package: string | null;
  algorithm: string;
  licence: string;
  server: string;
  modes: readonly string[];
  /** True where concurrent edits are not merged: only user 0 may type. */
  oneWriter?: boolean;
}

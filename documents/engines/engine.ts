/**
 * An engine: holds one document and its history, without network, editor or server. `engines/<name>.ts` exports one as
 * `engine`; the folder is the list. No engine times, checks or bounds itself: the measuring process does.
 *
 * Positions and lengths count UTF-16 units, as JavaScript and Quill do.
 */

/**
 * The way in which edits are observed. `updates`: each is a transaction of its own, and its update is taken; `edits`: the same
 * without taking the update; `once`: one transaction for all.
 */
export type Observed = 'updates' | 'edits' | 'once';

export interface EngineAbout {
  /** The npm package whose installed version is the engine's; null for code of this project's. */
  package: string | null;
  algorithm: string;
  licence: string;
  /**
   * `baseline`: holds text without history, the least that any engine must do; `reference`: an algorithm as its paper has it,
   * written for clarity; `library`: what people use.
   */
  kind: 'baseline' | 'reference' | 'library';
  /** False if it takes in others' updates, but merges none that were made at once: a server must order them. */
  merges?: false;
  /** False if it cannot hold characters of two UTF-16 units at positions that count units. */
  wideCharacters?: false;
  /** It is given so many edits of a trace at most, and why. */
  prefix?: { edits: number; why: string };
}

export interface OpenOptions {
  /**
   * In [0, 1), drawn for the replica: the engine makes an identity of its library's own kind and width of it (identity.ts), in
   * the same order. The same number gives the same bytes.
   */
  identity: number;
  /** True: every edit's update is taken, by `takeUpdate` after each edit. */
  updates: boolean;
}

/** How an engine encodes its document. */
export interface Encoding {
  /** Such as `v1`; unique in its engine. */
  name: string;
  /** True: the document's history can be had from it. */
  history: boolean;
  bytes: Uint8Array;
}

/** A document. The optional powers, if missing, are reported as not offered. */
export interface EngineDocument {
  /** One edit, in a transaction of its own: `deleted` units at `position` go, then `inserted` comes there. */
  edit(position: number, deleted: number, inserted: string): void;
  /** All edits that `make` makes, in one transaction. */
  together?(make: (edit: EngineDocument['edit']) => void): void;
  text(): string;
  /** The update of the last edit for others; only of a document that was opened with `updates`. */
  takeUpdate?(): Uint8Array;
  /** Takes in updates of other replicas, in the order in which they were made, as one change. */
  receive?(updates: readonly Uint8Array[]): void;
  /**
   * The document as it is stored: the engine's usual encoding first.
   *
   * @param only this encoding alone; absent: all
   */
  save?(only?: string): Encoding[];
  /** Gives memory back that no garbage collector sees. */
  free?(): void;
}

/**
 * `takeUpdate` of a library that tells listeners of its updates.
 *
 * @param updates as the document is opened with; false: nobody listens
 */
export function lastUpdate(updates: boolean, listen: (keep: (update: Uint8Array) => void) => void): () => Uint8Array {
  let last: Uint8Array = new Uint8Array();
  if (updates) {
    listen((update) => {
      last = update;
    });
  }
  return () => last;
}

/** `save` of a library with several encodings: only what is asked for is encoded, since that is timed. */
export function encodingsOf(
  only: string | undefined,
  all: readonly (readonly [name: string, history: boolean, encode: () => Uint8Array])[],
): Encoding[] {
  return all
    .filter(([name]) => only === undefined || name === only)
    .map(([name, history, encode]) => ({ name, history, bytes: encode() }));
}

export interface Engine {
  about: EngineAbout;
  /** An empty document, the same for every replica. */
  open(options: OpenOptions): EngineDocument | Promise<EngineDocument>;
  /** The document that the first of `save`'s encodings holds. */
  load?(saved: Uint8Array): EngineDocument | Promise<EngineDocument>;
}

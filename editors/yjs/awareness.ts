/** Presence of the Yjs frameworks: the awareness protocol of `y-protocols`, with the fields that y-quill reads. */
import { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';
import type { Presence } from '../base/framework.ts';

/** It tells the others anew every 15 s that its user is there, until it is destroyed. */
export function createAwareness(doc: Y.Doc, { name, colour }: Presence): Awareness {
  const awareness = new Awareness(doc);
  awareness.setLocalStateField('user', { name, color: colour });
  return awareness;
}

/** A change of awareness, by client. */
export type AwarenessChange = Record<'added' | 'updated' | 'removed', number[]>;

/** The origin of what this user changed itself. */
export const LOCAL = 'local';

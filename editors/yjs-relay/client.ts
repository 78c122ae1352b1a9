/** Yjs over the project's relay, bound as every framework there is: the library alone differs from the others. */
import { relayedClient } from '../base/binding/relayed.ts';
import type { FrameworkClient } from '../base/framework.ts';
import { deltaOf, loadDocument } from '../yjs/document.ts';
import { quicken } from '../yjs/quicken.ts';
import { createDocument } from './document.ts';

const LIBRARY = { createDocument, contentsOfSaved: (saved: Uint8Array) => deltaOf(loadDocument(saved)) };

export const client: FrameworkClient = {
  ...relayedClient('yjs-relay', () => LIBRARY),
  decode: async (message) => (await import('../yjs/decode.ts')).decodeUpdate(message),
  quicken,
};

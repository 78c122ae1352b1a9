/** Yjs over the project's relay, bound as every framework there is: what differs from the others is the library alone. */
import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import type { FrameworkClient } from '../base/framework.ts';
import { deltaOf, loadDocument } from '../yjs/document.ts';
import { quicken } from '../yjs/quicken.ts';
import { createDocument } from './document.ts';

export const client: FrameworkClient = {
  join: (options) => joinThroughRelay('yjs-relay', createDocument(), options),
  quicken,
  load: (saved) => unpackLineFormats(deltaOf(loadDocument(saved))),
};

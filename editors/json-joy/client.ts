/** json-joy: its document behind the project's own binding and relay. */
import { type FrameworkClient, joinThroughRelay, unpackLineFormats } from '../base/kit.ts';
import { createDocument, loadContents } from './document.ts';

export const client: FrameworkClient = {
  join: (options) => joinThroughRelay('json-joy', createDocument(), options),
  load: (saved) => unpackLineFormats(loadContents(saved)),
  decode: async (message) => (await import('./decode.ts')).decodeMessage(message),
};

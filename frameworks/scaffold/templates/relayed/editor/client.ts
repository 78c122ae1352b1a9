/** my-framework: its document behind the project's own binding and relay. */
import { type FrameworkClient, joinThroughRelay, unpackLineFormats } from '../../../../../editors/base/kit.ts';
import { createDocument, loadContents } from './document.ts';

export const client: FrameworkClient = {
  join: (options) => joinThroughRelay('my-framework', createDocument(), options),
  load: (saved) => unpackLineFormats(loadContents(saved)),
};

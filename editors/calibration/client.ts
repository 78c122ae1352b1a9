/** The calibration's client: `yjs-relay`'s, with the defects that the document's name tells. */
import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import type { FrameworkClient } from '../base/framework.ts';
import { deltaOf, loadDocument } from '../yjs/document.ts';
import { defectsOf } from './defects.ts';
import { createDocument } from './document.ts';

export const client: FrameworkClient = {
  async join(options) {
    const document = createDocument(defectsOf(options.documentId));
    const replica = await joinThroughRelay('calibration', document, options);
    return {
      ...replica,
      leave() {
        document.stop();
        return replica.leave();
      },
    };
  },
  load: (saved) => unpackLineFormats(deltaOf(loadDocument(saved))),
};

/** Collabs: a CRichText behind the project's own binding and relay. */

import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import type { FrameworkClient } from '../base/framework.ts';
import { createDocument } from './document.ts';
import type { Ordering } from './replica.ts';

export const client: FrameworkClient = createClient('collabs', { causalityGuaranteed: false });

/** The client of a framework that is Collabs with this ordering. */
export function createClient(framework: string, ordering: Ordering): FrameworkClient {
  return {
    join: (options) => joinThroughRelay(framework, createDocument(ordering), options),
    load(saved) {
      const document = createDocument(ordering);
      document.open([saved]);
      return unpackLineFormats(document.contents());
    },
  };
}

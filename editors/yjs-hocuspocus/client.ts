/** Yjs over Hocuspocus: document and binding of `editors/yjs`, with Hocuspocus' provider between them and the server. */

import { HocuspocusProvider, HocuspocusProviderWebsocket, MessageType } from '@hocuspocus/provider';
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import { gatherReceived } from '../base/binding/batching.ts';
import { watchConnection, whyNotOpened } from '../base/binding/reconnecting.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../base/framework.ts';
import { createAwareness, createDocument, loadDocument, PACKED, receiveTogether } from '../yjs/document.ts';
import { quicken } from '../yjs/quicken.ts';

const FRAMEWORK = 'yjs-hocuspocus';
/** The provider drops a connection on which nothing came for so long. Where no cursors travel, silence says nothing: a day. */
const SILENCE_ALLOWED_MS = 86_400_000;

export const client: FrameworkClient = {
  quicken,
  resumes: true,
  load: (saved) => PACKED.contentsOf(loadDocument(saved)),

  /** Its messages begin with the document's name. */
  async decode(message) {
    const { decodeFrom } = await import('../yjs/decode.ts');
    const decoder = decoding.createDecoder(message);
    decoding.readVarString(decoder);
    const decoded = decodeFrom(decoder) as { type?: MessageType };
    return decoded.type === undefined ? decoded : MessageType[decoded.type];
  },

  async join({ url, documentId, editor, batching, presence, token, ...rest }: JoinOptions): Promise<Replica> {
    const doc = createDocument();
    if (rest.saved !== undefined) Y.applyUpdate(doc, rest.saved);
    const awareness = presence && createAwareness(doc, presence);
    let opened = false;
    const connection = new HocuspocusProviderWebsocket({
      url,
      messageReconnectTimeout: SILENCE_ALLOWED_MS,
      onOpen() {
        opened = true;
      },
      onClose() {
        incoming.flush();
        if (!opened) watch.refused(whyNotOpened({ framework: FRAMEWORK, url }));
      },
    });
    const provider = new HocuspocusProvider({
      websocketProvider: connection,
      name: documentId,
      document: doc,
      token: token ?? null,
      awareness: awareness ?? null,
      flushDelay: batching.sendMs > 0 && batching.sendMs,
      // Also of the document alone, on a connection that stays: then the provider does not come back by itself.
      onClose: ({ event }) => watch.broke(event.code),
      onAuthenticationFailed: ({ reason }) =>
        watch.refused(`the ${FRAMEWORK} server does not give the document out: ${reason}`),
    });
    const destroy = () => {
      provider.destroy();
      connection.destroy();
    };
    const watch = watchConnection({ framework: FRAMEWORK, ...rest, giveUp: destroy });

    // The provider applies each message as it comes in; here it gets those of a batch together, in one transaction.
    const applyMessage = provider.onMessage.bind(provider);
    const incoming = gatherReceived<MessageEvent>(batching, (events) => {
      receiveTogether(doc, provider, () => {
        for (const event of events) applyMessage(event);
      });
      if (provider.isSynced) watch.inSync();
    });
    const isRefusal = refusalsOf(documentId);
    provider.onMessage = (event) => {
      if (isRefusal(new Uint8Array(event.data))) watch.refused('it takes no edit', 'read-only');
      else incoming.add(event);
    };
    provider.attach();
    await watch.joined;

    const binding = PACKED.bind(doc, editor, awareness);
    return {
      contents: () => PACKED.contentsOf(doc),
      save: () => Y.encodeStateAsUpdate(doc),
      isAcknowledged: () => !provider.hasUnsyncedChanges,
      async leave() {
        watch.stop();
        incoming.stop();
        binding.destroy();
        destroy();
        doc.destroy();
      },
    };
  },
};

/** The type of a message that says if an update was taken. */
const SYNC_STATUS = 8;
const NOT_TAKEN = 0;

/** True of the answer to an update by a user who may only read, which the provider leaves unheard. */
function refusalsOf(documentId: string): (frame: Uint8Array) => boolean {
  const length = encoding.encode((encoder) => encoding.writeVarString(encoder, documentId)).length + 2;
  return (frame) => frame.length === length && frame.at(-2) === SYNC_STATUS && frame.at(-1) === NOT_TAKEN;
}

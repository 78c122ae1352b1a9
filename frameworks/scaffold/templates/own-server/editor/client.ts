/** my-framework: its client, bound to the editor by the project's own binding. It runs in Chrome and in Node. */
import Delta from 'quill-delta';
import {
  bindEditor,
  composeAll,
  createBatcher,
  createLastingSocket,
  type EditorBinding,
  type FrameworkClient,
  gatherReceived,
  type JoinOptions,
  type Replica,
  unpackLineFormats,
} from '../../../../../editors/base/kit.ts';
import { StandIn } from './stand-in.ts';

export const client: FrameworkClient = {
  // TO WRITE: what a state that `save` returned holds.
  load: (saved) => unpackLineFormats(new Delta(JSON.parse(new TextDecoder().decode(saved)))),

  // TO WRITE: the library's client in the place of the stand-in; then delete both files stand-in.ts. Join once it holds
  // the document, which has exactly one "\n" at first. Positions and lengths in deltas count UTF-16 units. A line's
  // format comes as one attribute of its "\n", which `LINE_FORMAT` names: hold it as any other attribute.
  async join({ url, documentId, editor, batching, ...told }: JoinOptions): Promise<Replica> {
    let socket: WebSocket | null = null;
    let binding: EditorBinding | null = null;
    const document = new StandIn({ send: (message) => socket?.send(message), onInSync: () => lasting.inSync() });

    // TO WRITE: send what the user did; called once for a send batch. If the library gathers by itself, leave it to it,
    // and say so in about.ts (`withoutSendBatching`).
    const outgoing = createBatcher<null>(batching.sendMs, () => document.send());

    // TO WRITE: hand the library what arrived within a receive batch, in order, and show all that this changed at once.
    const incoming = gatherReceived<string>(batching, (messages) => {
      const change = composeAll(messages.map((message) => document.receive(message)));
      binding?.show(change);
      if (document.canSend) outgoing.add(null);
    });

    // TO WRITE: nothing, if the library takes a socket. Around one that opens its own stands `watchConnection`, as in
    // editors/yjs/client.ts. Say `inSync` once the document is what the server holds: the first time, and each time that
    // the connection came back. Nothing may be lost by a break, and nothing come twice.
    const lasting = createLastingSocket({
      framework: 'my-framework',
      url: () => `${url}/${documentId}?${document.query}`,
      onOpen(opened) {
        socket = opened;
      },
      onMessage(data) {
        incoming.add(data as string);
        // There is no editor yet to spare.
        if (binding === null) incoming.flush();
      },
      onClose() {
        incoming.flush();
        document.broke();
      },
      // What to do where the connection breaks, and whom to tell.
      ...told,
    });
    await lasting.open();

    binding = bindEditor({
      editor,
      contents: document.contents,
      // TO WRITE: apply what the user did, at once: the editor has done it already.
      onChange(change) {
        document.change(change);
        outgoing.add(null);
      },
    });
    return {
      // TO WRITE: what the document holds now, inserts only.
      contents: () => unpackLineFormats(document.contents),
      // TO WRITE: the library's own saved state.
      save: () => new TextEncoder().encode(JSON.stringify(document.contents.ops)),
      async leave() {
        outgoing.flush();
        await document.written();
        outgoing.stop();
        incoming.stop();
        binding?.unbind();
        lasting.close();
      },
    };
  },
};

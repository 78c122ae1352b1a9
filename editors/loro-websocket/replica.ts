/** A user's copy in a room of the server, bound to the editor. */
import { ClientStatus, LoroWebsocketClient } from 'loro-websocket';
import {
  bindEditor,
  type JoinOptions,
  type Replica,
  unpackLineFormats,
  watchConnection,
  whyNotOpened,
} from '../base/kit.ts';
import { createDocument } from '../loro/document.ts';
import { BatchingAdaptor } from './adaptor.ts';

class Connection extends LoroWebsocketClient {
  /** How many updates left over the connection that there is, which the server has not answered. */
  get unanswered(): number {
    return (Reflect.get(this, 'sentUpdateBatches') as Map<string, unknown>).size;
  }

  /** The library leaves the promise of each attempt to nobody. Where one is given up, Node would end the process. */
  override connect(options?: { resetBackoff?: boolean }): Promise<void> {
    const connected = super.connect(options);
    connected.catch(() => {});
    return connected;
  }
}

/** @throws Error naming the framework if its server cannot be reached, or refuses the document */
export async function joinRoom(framework: string, options: JoinOptions): Promise<Replica> {
  const { url, documentId, editor, batching, token, saved, ...callbacks } = options;
  const document = createDocument();
  if (saved !== undefined) document.receive([saved]);
  const connection = new Connection({ url });
  const watch = watchConnection({ framework, ...callbacks, giveUp: () => connection.destroy() });
  const adaptor = new BatchingAdaptor(document, { batching, onInSync: watch.inSync, onRefused: watch.refused });
  let opened = false;
  // After the library's own listener: what is given up within that, it would try again.
  const follow = (socket: WebSocket) =>
    socket.addEventListener('close', ({ code }) => {
      adaptor.flush();
      adaptor.leftRoom();
      if (opened) watch.broke(code);
      else watch.refused(whyNotOpened({ framework, url }));
    });
  const first = connection.socket;
  follow(first);
  connection.onStatusChange((status) => {
    if (status !== ClientStatus.Connected) return;
    opened = true;
    if (connection.socket !== first) follow(connection.socket);
  });
  const auth = token === undefined ? undefined : new TextEncoder().encode(token);
  const joining = connection.join({ roomId: documentId, crdtAdaptor: adaptor, auth });
  joining.catch((error: Error) =>
    watch.refused(`the ${framework} server does not give the document out: ${error.message}`),
  );
  await watch.joined;
  const room = await joining;

  const binding = bindEditor({ editor, contents: document.contents(), onChange: (change) => adaptor.change(change) });
  adaptor.show = binding.show;
  return {
    contents: () => unpackLineFormats(document.contents()),
    save: () => document.save(),
    isAcknowledged: () => adaptor.hasSentAll && connection.unanswered === 0,
    async leave() {
      watch.stop();
      adaptor.show = null;
      binding.unbind();
      adaptor.flush();
      await room.destroy();
      connection.destroy();
    },
  };
}

/** The client half that all frameworks without a server of their own share: their messages go through an ordered relay. */
import type Delta from 'quill-delta';
import type { JoinOptions, Replica } from '../framework.ts';
import { createBatcher } from './batching.ts';
import { bindEditor } from './binding.ts';
import { openSocket, whyClosed } from './connection.ts';
import { unpackLineFormats } from './line-formats.ts';

/** A framework's document, in terms of deltas and messages. Line formats in its deltas are packed (`line-formats.ts`). */
export interface RelayedDocument {
  contents(): Delta;
  /** Applies what the user did. */
  change(delta: Delta): void;
  /** All that the user did since the last call, as one message for the others; null where there is nothing. */
  takeMessage(): Uint8Array | null;
  /** Applies messages of the others, in one transaction. @returns what they changed, as one delta */
  receive(messages: Uint8Array[]): Delta;
  save(): Uint8Array;
  /** Takes over what the relay holds when this replica joins. Without it: as `receive`. */
  open?(log: Uint8Array[]): void;
}

/**
 * Joins a document through `servers/relay.ts`, in its order: the log, an empty message, then what the others do.
 *
 * @throws Error naming the framework where the relay cannot be reached
 */
export async function joinThroughRelay(
  framework: string,
  document: RelayedDocument,
  { url, documentId, editor, batching, onLost }: JoinOptions,
): Promise<Replica> {
  const socket = await openSocket({ framework, url: `${url}/${documentId}` });
  const { log, early } = await receiveLog(framework, socket);
  if (document.open === undefined) document.receive(log);
  else document.open(log);

  const outgoing = createBatcher<Delta>(batching.sendMs, () => {
    const message = document.takeMessage();
    if (message !== null) socket.send(message as Uint8Array<ArrayBuffer>);
  });
  const binding = bindEditor({
    editor,
    contents: document.contents(),
    onChange(change) {
      document.change(change);
      outgoing.add(change);
    },
  });
  const incoming = createBatcher<Uint8Array>(batching.receiveMs, (messages) => {
    binding.show(document.receive(messages));
  });
  for (const message of early) incoming.add(message);
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => incoming.add(new Uint8Array(data));
  socket.onclose = ({ code }) => onLost(whyClosed({ framework, code }));

  return {
    contents: () => unpackLineFormats(document.contents()),
    save: () => document.save(),
    async leave() {
      outgoing.flush();
      incoming.stop();
      binding.unbind();
      socket.onmessage = null;
      socket.onclose = null;
      socket.close();
    },
  };
}

/** The log is what comes until the empty message. Node hands on all that arrived together before the caller goes on. */
function receiveLog(framework: string, socket: WebSocket): Promise<{ log: Uint8Array[]; early: Uint8Array[] }> {
  const log: Uint8Array[] = [];
  const early: Uint8Array[] = [];
  let isComplete = false;
  return new Promise((resolve, reject) => {
    socket.onclose = ({ code }) => reject(new Error(whyClosed({ framework, code })));
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      if (isComplete) early.push(new Uint8Array(data));
      else if (data.byteLength > 0) log.push(new Uint8Array(data));
      else {
        isComplete = true;
        resolve({ log, early });
      }
    };
  });
}

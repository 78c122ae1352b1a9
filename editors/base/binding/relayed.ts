/** The client half that all frameworks without a server of their own share: their messages go through an ordered relay. */
import type Delta from 'quill-delta';
import type { FrameworkClient, JoinOptions, Presence, Replica } from '../framework.ts';
import { createBatcher, gatherReceived } from './batching.ts';
import { bindEditor } from './binding.ts';
import { unpackLineFormats } from './line-formats.ts';
import { createLastingSocket } from './reconnecting.ts';
import {
  type CaughtUp,
  CLIENT_PARAMETER,
  FRAME_KINDS,
  frameOf,
  LOG_PARAMETER,
  PRESENCE_PARAMETER,
  RECEIVED_PARAMETER,
} from './relay-protocol.ts';
import { type LibraryPresence, type SharedCursors, shareCursors } from './shared-cursors.ts';

/** A framework's document, in terms of deltas and messages. Line formats in its deltas are packed (`line-formats.ts`). */
export interface RelayedDocument {
  contents(): Delta;
  /** Applies what the user did. */
  change(delta: Delta): void;
  /** All that the user did since the last call, as one message for the others; null if there is nothing. */
  takeMessage(): Uint8Array | null;
  /** True if there is such a message: some libraries change their document after receiving, and others must learn of that. */
  hasMessage?(): boolean;
  /** Applies messages of the others, in one transaction. @returns what they changed, as one delta */
  receive(messages: Uint8Array[]): Delta;
  save(): Uint8Array;
  /**
   * The whole document as one message, which `receive` takes in whatever is there already. A client brings it to a relay that
   * has started anew. Without it: the messages of its own user alone, and newcomers miss the text of all who have left.
   */
  wholeAsMessage?(): Uint8Array;
  /** Takes over what the relay holds when this replica joins. Without it: as `receive`. */
  open?(log: Uint8Array[]): void;
  /** Where the library has presence: takes part in it. Called once, when the document is open. */
  joinPresence?(options: PresenceJoin): RelayedPresence;
}

/** A library's module, as far as a client behind the relay is made of it. */
export interface RelayedLibrary {
  createDocument(): RelayedDocument;
  /** Line formats are packed, as in the document. */
  contentsOfSaved(saved: Uint8Array): Delta;
}

/** @param load gives the module, for each user and each saved state */
export function relayedClient(
  framework: string,
  load: () => RelayedLibrary | Promise<RelayedLibrary>,
): FrameworkClient {
  return {
    async join(options) {
      const { createDocument } = await load();
      return joinThroughRelay(framework, createDocument(), options);
    },
    async load(saved) {
      const { contentsOfSaved } = await load();
      return unpackLineFormats(contentsOfSaved(saved));
    },
  };
}

/**
 * Joins a document through `servers/relay.ts`, in its order: the log, then what the others do. A connection that breaks is
 * opened again; what was typed meanwhile, and what the relay did not get before, is sent then.
 *
 * @throws Error naming the framework if the relay cannot be reached
 */
export async function joinThroughRelay(
  framework: string,
  document: RelayedDocument,
  options: JoinOptions,
): Promise<Replica> {
  const { editor, batching } = options;
  const log: Uint8Array[] = [];
  let deliver = (message: Uint8Array): void => {
    log.push(message);
  };
  const presence = joinPresence(document, options, (message) => line.sendPresence(message));
  const line = createRelayLine(framework, options, {
    onMessage: (message) => deliver(message),
    onPresence: presence && ((message) => presence.receive(message)),
    wholeDocument() {
      // Otherwise it would go out twice: in the document, and in the next message.
      outgoing.flush();
      return document.wholeAsMessage?.();
    },
    onReconnected() {
      presence?.tellAgain();
      options.onReconnected();
    },
  });
  const inLog = await line.open();
  // Messages that came right after the log arrive as all later ones do.
  const early = log.splice(inLog);
  if (document.open === undefined) document.receive(log);
  else document.open(log);

  const outgoing = createBatcher<Delta>(batching.sendMs, () => {
    const message = document.takeMessage();
    if (message !== null) line.send(message);
  });
  const binding = bindEditor({
    editor,
    contents: document.contents(),
    onChange(change) {
      document.change(change);
      outgoing.add(change);
    },
  });
  const incoming = gatherReceived<Uint8Array>(batching, (messages) => {
    const change = document.receive(messages);
    binding.show(change);
    if (document.hasMessage?.()) outgoing.add(change);
  });
  deliver = (message) => incoming.add(message);
  for (const message of early) incoming.add(message);
  presence?.begin();
  return {
    contents: () => unpackLineFormats(document.contents()),
    save: () => document.save(),
    async leave() {
      presence?.leave();
      outgoing.flush();
      incoming.stop();
      binding.unbind();
      line.close();
    },
  };
}

/** A client that is so many messages behind when it comes back cannot send them all again: it is lost. */
const KEPT_MESSAGES = 20_000;

/** A lasting connection to the relay, on which nothing is lost and nothing comes twice. */
interface RelayLine {
  /** Resolves once the log has come. @returns how many messages it has */
  open(): Promise<number>;
  /** Sends it now, or once the connection is back. */
  send(message: Uint8Array): void;
  /** Sends it now, or never. */
  sendPresence(message: Uint8Array): void;
  close(): void;
}

function createRelayLine(
  framework: string,
  { url, documentId, ...callbacks }: JoinOptions,
  events: {
    onMessage: (message: Uint8Array) => void;
    /** Absent: no cursors travel. */
    onPresence?: (message: Uint8Array) => void;
    /** All that was ever sent or received, as one message; absent if the library has no such message. */
    wholeDocument: () => Uint8Array | undefined;
    onReconnected: () => void;
  },
): RelayLine {
  const { onMessage, onPresence, wholeDocument, onReconnected } = events;
  const client = crypto.randomUUID();
  const kinds = onPresence === undefined ? '' : `&${PRESENCE_PARAMETER}`;
  const address = `${url}/${documentId}?${CLIENT_PARAMETER}=${client}${kinds}`;
  /** The newest messages of this client; `dropped` came before them. */
  let ownMessages: Uint8Array[] = [];
  let dropped = 0;
  /** Messages of the log at first, null while it is still coming; and those of others since, in the log of this name. */
  let inLog: number | null = null;
  let received = 0;
  let logId: string | null = null;
  /** Where messages go; null while the relay has not said what it lacks. */
  let ready: WebSocket | null = null;
  let socket: WebSocket | null = null;
  const sendNow = (message: Uint8Array) =>
    ready?.send(onPresence === undefined ? (message as Uint8Array<ArrayBuffer>) : frameOf('message', message));

  const catchUp = ({ taken, log }: CaughtUp) => {
    inLog ??= received;
    if (log !== logId) {
      // The relay gave that log from its beginning.
      received = 0;
      const whole = logId === null ? undefined : wholeDocument();
      if (whole !== undefined) [ownMessages, dropped] = [[whole], 0];
      logId = log;
    }
    if (taken < dropped) return lasting.refused(`${framework} was away for more than ${KEPT_MESSAGES} of its messages`);
    ready = socket;
    for (const message of ownMessages.slice(taken - dropped)) sendNow(message);
    lasting.inSync();
  };
  const lasting = createLastingSocket({
    framework,
    url: () => (logId === null ? address : `${address}&${LOG_PARAMETER}=${logId}&${RECEIVED_PARAMETER}=${received}`),
    onOpen(opened) {
      socket = opened;
    },
    onMessage(data) {
      if (typeof data === 'string') return catchUp(JSON.parse(data));
      const frame = new Uint8Array(data);
      if (onPresence !== undefined && frame[0] === FRAME_KINDS.presence) return onPresence(frame.subarray(1));
      received++;
      onMessage(onPresence === undefined ? frame : frame.subarray(1));
    },
    onClose() {
      ready = null;
    },
    ...callbacks,
    onReconnected,
  });
  return {
    async open() {
      await lasting.open();
      return inLog!;
    },
    send(message) {
      ownMessages.push(message);
      if (ownMessages.length >= 2 * KEPT_MESSAGES) {
        ownMessages = ownMessages.slice(KEPT_MESSAGES);
        dropped += KEPT_MESSAGES;
      }
      sendNow(message);
    },
    sendPresence: (message) => ready?.send(frameOf('presence', message)),
    close: () => lasting.close(),
  };
}

export interface PresenceJoin {
  user: Presence;
  send: (message: Uint8Array) => void;
  /** To be called when an other came, moved, or went. */
  onHeard: () => void;
}

/** A library's presence whose messages go through the relay. Who comes later gets the last one of each who is there. */
export interface RelayedPresence<Place = unknown> extends LibraryPresence<Place> {
  receive(message: Uint8Array): void;
  /** Says so to the others, and ends what it does by itself. */
  leave(): void;
}

/**
 * Presence through the relay, which passes its messages on and puts them into no log.
 *
 * @returns absent if this user takes no part, or the library has no presence
 */
function joinPresence(
  document: { joinPresence?(options: PresenceJoin): RelayedPresence },
  { editor, batching, presence: user }: JoinOptions,
  send: (message: Uint8Array) => void,
) {
  if (user === undefined || document.joinPresence === undefined) return undefined;
  const early: Uint8Array[] = [];
  let presence: RelayedPresence | null = null;
  let cursors: SharedCursors | null = null;
  return {
    receive(message: Uint8Array) {
      if (presence === null) early.push(message);
      else presence.receive(message);
    },
    /** The document is open, and bound to the editor. */
    begin() {
      presence = document.joinPresence!({ user, send, onHeard: () => cursors?.heard() });
      for (const message of early) presence.receive(message);
      cursors = shareCursors({ editor, presence, batching });
    },
    tellAgain: () => cursors?.tellAgain(),
    leave() {
      cursors?.stop();
      presence?.leave();
    },
  };
}

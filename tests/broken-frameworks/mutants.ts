/**
 * Mutants of the project's real clients and servers, one change each: wrong only in an order of events that seldom occurs, such
 * as a second break while somebody catches up. `explore` must find those that change what users see.
 */
import type { WorldBacking } from '../../frameworks/explore/world.ts';

export interface Mutant {
  name: string;
  /** The framework by which it shows. */
  framework: string;
  file: string;
  /** The text that stands there, once, and the text in its place. */
  from: string;
  to: string;
  /** Behind the users of its worlds; absent: one server, in memory. */
  backing?: WorldBacking;
}

const RELAY = 'servers/relay.ts';
const RELAYED = 'editors/base/binding/relayed.ts';
const RECONNECTING = 'editors/base/binding/reconnecting.ts';
const YJS = 'editors/yjs/client.ts';
const SHAREDB = 'editors/sharedb/client.ts';
const STORED: WorldBacking = { servers: 1, hasStore: true };

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a half-open connection that ends takes its client’s new one with it',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: "socket.on('close', () => {\n      if (client.socket !== socket) return;",
    to: "socket.on('close', () => {",
  },
  {
    name: 'a half-open connection still speaks',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: "socket.on('message', (data: Buffer) => {\n      if (client.socket !== socket) return;",
    to: "socket.on('message', (data: Buffer) => {",
  },
  {
    name: 'who comes back misses one message',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: 'ofOthers.slice(received)',
    to: 'ofOthers.slice(received + 1)',
  },
  {
    name: 'who comes back gets one message twice',
    ...{ framework: 'collabs-novc', file: RELAY },
    from: 'ofOthers.slice(received)',
    to: 'ofOthers.slice(Math.max(0, received - 1))',
  },
  {
    name: 'the relay counts across its own restart',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: 'of.log === this.#id ? former : undefined',
    to: 'former',
  },
  {
    name: 'the log begins one message late for who came first',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: 'this.#log.slice(client.joinedAt)',
    to: 'this.#log.slice(client.joinedAt + 1)',
  },
  {
    name: 'the client counts across a restart',
    ...{ framework: 'yjs-relay', file: RELAYED },
    from: 'received = 0;\n      const whole',
    to: 'const whole',
  },
  {
    name: 'nobody brings the text of those who left to a new relay',
    ...{ framework: 'loro', file: RELAYED },
    from: 'if (whole !== undefined) [ownMessages, dropped] = [[whole], 0];',
    to: '',
  },
  {
    name: 'nobody brings that text, where the order of messages counts',
    ...{ framework: 'collabs-novc', file: RELAYED },
    from: 'if (whole !== undefined) [ownMessages, dropped] = [[whole], 0];',
    to: '',
  },
  {
    name: 'one own message is not sent again',
    ...{ framework: 'yjs-relay', file: RELAYED },
    from: 'ownMessages.slice(taken - dropped)',
    to: 'ownMessages.slice(taken - dropped + 1)',
  },
  {
    name: 'all own messages are sent again',
    ...{ framework: 'collabs-novc', file: RELAYED },
    from: 'ownMessages.slice(taken - dropped)',
    to: 'ownMessages',
  },
  {
    name: 'messages that come right after the log are lost',
    ...{ framework: 'yjs-relay', file: RELAYED },
    from: 'for (const message of early) incoming.add(message);\n  presence',
    to: 'presence',
  },
  {
    name: 'who leaves does not send the last batch',
    ...{ framework: 'yjs-relay', file: RELAYED },
    from: 'presence?.leave();\n      outgoing.flush();',
    to: 'presence?.leave();',
  },
  {
    name: 'what was typed during a break is sent again twice',
    ...{ framework: 'json-joy', file: RELAYED },
    from: 'outgoing.flush();\n      return document.wholeAsMessage?.();',
    to: 'return document.wholeAsMessage?.();',
  },
  {
    name: 'a second refusal is the last',
    ...{ framework: 'yjs', file: RECONNECTING },
    from: 'else if (opened === null) reopen();',
    to: 'else if (opened === null) { if (pauseMs === 2 * FIRST_PAUSE_MS) reopen(); }',
  },
  {
    name: 'a connection that opens while its user leaves stays',
    ...{ framework: 'yjs', file: RECONNECTING },
    from: 'if (closed) opened?.close();',
    to: 'if (closed) return;',
  },
  {
    name: 'a client keeps all its connections',
    ...{ framework: 'yjs', file: RECONNECTING },
    from: 'socket = opened;\n    opened.onmessage',
    to: 'socket = Object.assign(opened, { former: socket });\n    opened.onmessage',
  },
  {
    name: 'the relay keeps the connection of who left',
    ...{ framework: 'yjs-relay', file: RELAY },
    from: 'client.socket = null;\n',
    to: '',
  },
  {
    name: 'who reloads drops what it saved',
    ...{ framework: 'yjs', file: YJS },
    from: 'if (options.saved !== undefined) Y.applyUpdate(doc, options.saved);',
    to: '',
  },
  {
    name: 'a client keeps all that it receives',
    ...{ framework: 'yjs', file: YJS },
    from: 'if (isWanted) incoming.add({ type, message });',
    to: 'if (isWanted) incoming.add({ type, message });\n      doc.kept = [...(doc.kept ?? []), data];',
  },
  {
    name: 'a client asks only once what it lacks',
    ...{ framework: 'yjs', file: YJS },
    from: 'socket = opened;\n      sendSync(',
    to: 'const isFirst = socket === null;\n      socket = opened;\n      if (isFirst) sendSync(',
  },
  {
    name: 'a client answers no question of the server',
    ...{ framework: 'yjs', file: YJS },
    from: 'sendSync((answer) => syncProtocol.readSyncMessage(message, answer, doc, REMOTE));',
    to: 'syncProtocol.readSyncMessage(message, encoding.createEncoder(), doc, REMOTE);',
  },
  {
    name: 'ShareDB pauses while it cannot send',
    ...{ framework: 'sharedb', file: SHAREDB },
    from: 'batching.sendMs > 0 && connection.canSend',
    to: 'batching.sendMs > 0',
  },
  {
    name: 'ShareDB drops what came when the connection broke',
    ...{ framework: 'sharedb', file: SHAREDB },
    from: 'incoming.flush();\n        wire.onclose(event);',
    to: 'incoming.stop();\n        wire.onclose(event);',
  },
  {
    name: 'acknowledgements overtake others’ edits',
    ...{ framework: 'sharedb', file: SHAREDB },
    from: 'if (isAlone && isAcknowledgement(message)) batcher.flush();',
    to: 'if (isAcknowledgement(message)) { batcher.stop(); deliver([message]); }',
  },
  {
    name: 'Hocuspocus keeps what came for the next connection',
    ...{ framework: 'yjs-hocuspocus', file: 'editors/yjs-hocuspocus/client.ts' },
    from: 'incoming.flush();\n        if (!opened)',
    to: 'if (!opened)',
  },
  {
    name: 'json-joy waits for a part of the same message',
    ...{ framework: 'json-joy', file: 'editors/json-joy/received.ts' },
    from: '(sid === session ? Math.min(end, start) : end) - 1',
    to: 'end - 1',
  },
  {
    name: 'a server begins a document that its store holds (automerge-repo)',
    ...{ framework: 'automerge-repo', file: 'servers/automerge-repo/backed.ts', backing: STORED },
    from: 'if (isKept) await repo.find(docId);\n  else repo',
    to: 'repo',
  },
  {
    name: 'a store keeps the first state only (Hocuspocus)',
    ...{ framework: 'yjs-hocuspocus', file: 'servers/yjs-hocuspocus/extensions.ts', backing: STORED },
    from: 'held.set(documentName, state)',
    to: 'held.has(documentName) || held.set(documentName, state)',
  },
];

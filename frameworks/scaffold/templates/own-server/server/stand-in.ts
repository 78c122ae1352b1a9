/** In the place of a library's server until there is one: it puts the changes to a document in one order. */
import Delta from 'quill-delta';
import type { WebSocket } from 'ws';
import { type FromClient, type FromServer, SEED } from '../editor/stand-in.ts';

/** RFC 6455, section 7.4.1: what came is no message. */
const INVALID_PAYLOAD = 1007;

/** One document, all changes that made it, and who is connected to it. */
export class StandInDocument {
  #contents = new Delta([...SEED]);
  readonly #changes: { change: Delta; by: string }[] = [];
  /** The connection of each client. */
  readonly #sockets = new Map<string, WebSocket>();

  /** @param revision how many changes a client has that comes back; null: it is a newcomer */
  connect(socket: WebSocket, client: string, revision: number | null): void {
    // Of a client that comes back, the broken connection may not have ended here yet.
    this.#sockets.get(client)?.terminate();
    this.#sockets.set(client, socket);
    if (revision === null) {
      say(socket, { kind: 'document', ops: this.#contents.ops, revision: this.#changes.length });
    } else {
      for (const { change, by } of this.#changes.slice(revision)) say(socket, nextChange(change, by === client));
      say(socket, { kind: 'caught up' });
    }
    const isCurrent = () => this.#sockets.get(client) === socket;
    socket.on('message', (data: Buffer) => {
      if (!isCurrent()) return;
      try {
        this.#take(JSON.parse(data.toString()), client);
      } catch {
        socket.close(INVALID_PAYLOAD, 'no change to this document');
      }
    });
    socket.on('close', () => {
      if (isCurrent()) this.#sockets.delete(client);
    });
  }

  #take({ ops, revision }: FromClient, by: string): void {
    const missed = this.#changes.slice(revision);
    const change = missed.reduce((made, earlier) => earlier.change.transform(made, true), new Delta(ops));
    this.#contents = this.#contents.compose(change);
    this.#changes.push({ change, by });
    for (const [client, socket] of this.#sockets) say(socket, nextChange(change, by === client));
  }
}

function nextChange(change: Delta, isOwn: boolean): FromServer {
  return isOwn ? { kind: 'taken' } : { kind: 'change', ops: change.ops };
}

function say(socket: WebSocket, message: FromServer): void {
  socket.send(JSON.stringify(message));
}

/** The library's WebSocket adapter for whoever connects, without the errors that it throws where nobody can catch them. */
import type { PeerId, PeerMetadata } from '@automerge/automerge-repo';
import { WebSocketClientAdapter } from '@automerge/automerge-repo-network-websocket';

export class SteadyAdapter extends WebSocketClientAdapter {
  #isOver = false;

  constructor(url: string) {
    super(url);
    // In Node, the library throws here. Every error is followed by a close.
    this.onError = () => {};
  }

  /** The library's timers call this also after `disconnect`. */
  override connect(peerId: PeerId, peerMetadata?: PeerMetadata): void {
    if (!this.#isOver) super.connect(peerId, peerMetadata);
  }

  /** Where the connection is lost for good, the repository's own shutdown is the second to call this. */
  override disconnect(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // It has a name once it connects.
    if (this.peerId !== undefined) super.disconnect();
  }

  override send(message: Parameters<WebSocketClientAdapter['send']>[0]): void {
    // While the socket closes, the library would throw, in the middle of taking a message in. What is not sent now is
    // asked for when the connection is back.
    if (this.socket?.readyState === WebSocket.OPEN) super.send(message);
  }
}

/** Counts what the page's WebSockets carry, whichever library opens them. */

export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
  sentMessages: number;
  receivedMessages: number;
}

/** Replaces `scope.WebSocket` by one that counts payloads; the counts that it returns grow from then on. */
export function countTraffic(scope: { WebSocket: typeof WebSocket }): Traffic {
  const traffic: Traffic = { sentBytes: 0, receivedBytes: 0, sentMessages: 0, receivedMessages: 0 };
  scope.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        traffic.receivedMessages++;
        traffic.receivedBytes += payloadBytes(data);
      });
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      traffic.sentMessages++;
      traffic.sentBytes += payloadBytes(data);
      super.send(data as string);
    }
  };
  return traffic;
}

function payloadBytes(data: unknown): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).length;
  if (data instanceof Blob) return data.size;
  return (data as ArrayBufferLike | ArrayBufferView).byteLength;
}

/** The size that WebSocket messages would have if they were compressed. */
import { constants, createDeflateRaw } from 'node:zlib';

/** Length of the end of a sync flush, which `permessage-deflate` leaves out (RFC 7692, section 7.2.1). */
const TAIL_BYTES = 4;

export interface Compressed {
  bytes: number;
  deflatedBytes: number;
}

/**
 * As `permessage-deflate` works unless told otherwise (RFC 7692): each message by itself, at zlib's default level, with up to
 * 32 KiB that came before on the connection as its context. The first half of the messages only fills that context.
 *
 * @param messages payloads in one direction, in their order
 * @returns sums over the second half
 */
export async function compressedAlone(messages: readonly Uint8Array[]): Promise<Compressed> {
  const deflate = createDeflateRaw();
  let made = 0;
  deflate.on('data', (chunk: Buffer) => {
    made += chunk.length;
  });
  const sum: Compressed = { bytes: 0, deflatedBytes: 0 };
  for (const [index, message] of messages.entries()) {
    made = 0;
    deflate.write(message);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    if (index < Math.floor(messages.length / 2)) continue;
    sum.bytes += message.length;
    sum.deflatedBytes += made - TAIL_BYTES;
  }
  deflate.destroy();
  return sum;
}

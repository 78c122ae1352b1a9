/** Enciphers text that a server is not to read. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function encipher(bytes: Uint8Array, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const enciphered = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), enciphered]);
}

export function decipher(message: Buffer, key: Buffer): Uint8Array {
  const nonce = message.subarray(0, NONCE_BYTES);
  const decipherer = createDecipheriv(ALGORITHM, key, nonce);
  decipherer.setAuthTag(message.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return new Uint8Array(
    Buffer.concat([decipherer.update(message.subarray(NONCE_BYTES + TAG_BYTES)), decipherer.final()]),
  );
}

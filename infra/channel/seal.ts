/**
 * The seal of a channel between machines: TLS 1.3 with a key that both ends derive from their token (an external PSK, RFC 8446, section
 * 2.2) and an ephemeral key of each connection. So there is no certificate to make, to carry and to check.
 */
import { scryptSync } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/** RFC 8446 binds an external key to a hash, which is this suite's: another would not find it. */
const SUITE = {
  ciphers: 'TLS_AES_128_GCM_SHA256',
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
} as const satisfies TlsOptions;
const IDENTITY = 'scriptorium';
const KEY_BYTES = 32;
/** A caller that does not finish its greeting is let go. */
const GREETING_LIMIT_MS = 10_000;

/** The other end knows another token, or does not speak this protocol. */
export class Unsealed extends Error {
  constructor(cause: Error) {
    super('the other end has another token, or another version of Scriptorium', { cause });
  }
}

let derived: { token: string; key: Buffer } | null = null;

/** By scrypt: a person may have chosen a token that could be guessed from a recorded greeting. */
function keyOf(token: string): Buffer {
  if (derived?.token !== token) derived = { token, key: scryptSync(token, IDENTITY, KEY_BYTES) };
  return derived.key;
}

/** Options of the end that listens. */
export function sealOfListener(token: string): TlsOptions {
  const key = keyOf(token);
  return { ...SUITE, handshakeTimeout: GREETING_LIMIT_MS, pskCallback: () => key };
}

/** Options of the end that calls. */
export function sealOfCaller(token: string): ConnectionOptions {
  const psk = keyOf(token);
  // The key proves who answers; there is no certificate that could hold a name.
  return { ...SUITE, pskCallback: () => ({ psk, identity: IDENTITY }), checkServerIdentity: () => undefined };
}

/** The meaning of a failed call: TLS's own words name neither the token nor the other end. */
export function sealError(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPROTO' || error.code?.startsWith('ERR_SSL') ? new Unsealed(error) : error;
}

/** The secret by which a listener knows its own: made for one run or one trial, never written to results or logs. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';

/** 192 bits: beyond guessing. */
const TOKEN_BYTES = 24;

export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Compares in constant time; digests, so that not even the length shows in it. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/**
 * @param url a request's address, such as `/<token>/control`
 * @returns   the path after the token, such as `/control`; null if the token is missing or wrong
 */
export function pathBehindToken(url: string | undefined, token: string): string | null {
  const [, given = '', ...rest] = (url ?? '').split('/');
  return isToken(given, token) ? `/${rest.join('/')}` : null;
}

/** Takes the token, and other secrets, out of a text that someone will read. */
export function redact(text: string, ...secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '(token)'), text);
}

/**
 * Answers an `upgrade` request with 403 and lets go of its connection. Node has taken its own listeners off by then, so
 * that a caller who breaks the connection off meanwhile would end this process.
 */
export function refuseUpgrade(socket: Duplex): void {
  const letGo = () => socket.destroy();
  socket.on('error', letGo);
  // Without it a caller that never closes its half would keep the server from closing.
  socket.once('finish', letGo);
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
}

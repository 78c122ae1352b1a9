import { expect, test } from 'vitest';
import { createToken, isToken, pathBehindToken, redact } from './token.ts';

test('tokens are long, differ, and go into an address as they are', () => {
  const tokens = Array.from({ length: 100 }, createToken);
  expect(new Set(tokens).size).toBe(100);
  // 24 bytes in base 64, 6 bits a character.
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

test('only the token itself is one, whatever the length of a guess', () => {
  const token = createToken();
  expect(isToken(token, token)).toBe(true);
  for (const guess of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase(), createToken()]) {
    expect(isToken(guess, token)).toBe(guess === token);
  }
});

test('what follows the token is the path; without it there is none', () => {
  expect(pathBehindToken('/secret/control', 'secret')).toBe('/control');
  expect(pathBehindToken('/secret/a/b?c=d', 'secret')).toBe('/a/b?c=d');
  expect(pathBehindToken('/secret', 'secret')).toBe('/');
  for (const url of ['/control', '/', '', undefined, '//secret/control', '/secret2/control', '/Secret/control']) {
    expect(pathBehindToken(url, 'secret')).toBeNull();
  }
});

test('redacting leaves nothing of it', () => {
  expect(redact('ws://h:1/secret/control and secret', 'secret')).toBe('ws://h:1/(token)/control and (token)');
});

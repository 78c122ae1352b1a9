import { expect, test } from 'vitest';
import { isOrdinary, refusalOf, sayRefusal } from './refusals.ts';

const close = (code: number, reason = '') => ({ by: 'close', code, reason }) as const;
const status = (code: number) => ({ by: 'status', status: code }) as const;

test.each([
  ['rate limit', status(429)],
  ['rate limit', close(1008)],
  ['permission', status(401)],
  ['permission', status(403)],
  ['permission', close(4401)],
  ['permission', close(4403)],
  ['permission', close(4450)],
  ['no such document', status(404)],
  ['no such document', close(4404)],
  ['too large', close(1009)],
  ['too large', status(413)],
  ['try again later', close(1013)],
  ['try again later', close(4408)],
  ['unavailable', status(503)],
  ['unavailable', status(500)],
  ['no such document', close(4410)],
  ['too large', close(4413)],
  ['another protocol', status(200)],
  ['closed', close(4205, 'reset')],
  ['idle cut', { by: 'cut', quietMs: 60_000 } as const],
  ['certificate', { by: 'error', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed' } as const],
  ['certificate', { by: 'error', code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'another host' } as const],
  ['another protocol', { by: 'error', code: 'EPROTO', message: 'wrong version number' } as const],
  ['another protocol', { by: 'error', code: 'HPE_INVALID_CONSTANT', message: 'Expected HTTP/' } as const],
  ['unavailable', { by: 'error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' } as const],
])('%s is named', (kind, ending) => {
  expect([refusalOf(ending).kind, isOrdinary(ending)]).toEqual([kind, false]);
});

test.each([close(1000), close(1001), close(1006), close(1012), { by: 'cut', quietMs: 900 } as const])(
  'an ordinary end is a refusal only if nobody comes back from it: %o',
  (ending) => {
    expect([isOrdinary(ending), refusalOf(ending).kind]).toEqual([true, 'closed']);
  },
);

test('a refusal says what was seen and what to change', () => {
  expect(sayRefusal(refusalOf(close(4429, 'slow down')))).toBe(
    'the server closed the connection with code 4429, "slow down" (rate limit) → let users join farther apart (--join-every 5s), start fewer, or lift the limit for this address',
  );
});

test('of bytes that are no TLS, one line says so, and both ways to write the address', () => {
  const message =
    'write EPROTO 40:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/ssl/tlsany_meth.c:77:\n';
  const said = sayRefusal(refusalOf({ by: 'error', code: 'EPROTO', message }));
  expect(said).toMatch(
    /cannot be reached: write EPROTO .*:wrong version number \(another protocol\) → .* ws:\/\/ if it has none/,
  );
});

import { expect, test } from 'vitest';
import { decodeCbor, encodeCbor } from './cbor.ts';

test('what was written is read again', () => {
  const message = {
    type: 'join',
    supportedProtocolVersions: ['1', 'x'.repeat(200)],
    data: Uint8Array.of(1, 2),
    peerMetadata: {},
  };
  expect(decodeCbor(encodeCbor(message))).toEqual(message);
  expect(() => encodeCbor('x'.repeat(256))).toThrow('256 is more');
});

test('the forms of others, and frames that are none', () => {
  // RFC 8949, appendix A.
  const read = (hex: string) => decodeCbor(Buffer.from(hex, 'hex'));
  expect(read('1a000f4240')).toBe(1_000_000);
  expect(read('b9000161618302f5f6')).toEqual({ a: [2, true, null] });
  expect(read('d8404401020304')).toEqual(Buffer.from([1, 2, 3, 4]));
  // Lists in lists, each of which claims as many members as there are bytes: room for all would be gigabytes.
  const nested = '9a00030d40'.repeat(1000).padEnd(2 * 200_000, '0');
  expect(() => read(nested)).toThrow('it is cut off');
  for (const hex of ['', '62', '9a00ffffff', '1f']) expect(() => read(hex)).toThrow(RangeError);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CloseNews, createCloseWatch } from './close-watch.ts';

/** A frame as RFC 6455, section 5.2, has it. */
function frame(opcode: number, payload: Buffer, isMasked = false): Buffer {
  const maskBit = isMasked ? 0x80 : 0;
  const length =
    payload.length < 126
      ? Buffer.of(maskBit | payload.length)
      : payload.length < 2 ** 16
        ? Buffer.from([maskBit | 126, payload.length >> 8, payload.length & 0xff])
        : Buffer.concat([
            Buffer.of(maskBit | 127),
            Buffer.from(BigInt(payload.length).toString(16).padStart(16, '0'), 'hex'),
          ]);
  const mask = isMasked ? Buffer.of(1, 2, 3, 4) : Buffer.alloc(0);
  return Buffer.concat([Buffer.of(0x80 | opcode), length, mask, payload]);
}

const closing = (code: number, reason: string) =>
  frame(8, Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]));

function watched(stream: Buffer, cuts: readonly number[]) {
  const news: CloseNews[] = [];
  const watch = createCloseWatch((told) => news.push(told));
  let from = 0;
  for (const cut of [...cuts.map((at) => at % (stream.length + 1)).sort((a, b) => a - b), stream.length]) {
    watch.received(stream.subarray(from, cut));
    from = cut;
  }
  return { news, watch };
}

test('a close frame is found behind any others, wherever the stream is cut', () => {
  const sizes = fc.array(fc.oneof(fc.nat(300), fc.constant(70_000)), { maxLength: 6 });
  const property = fc.property(sizes, fc.array(fc.nat(200_000), { maxLength: 8 }), (lengths, cuts) => {
    // Their bytes look like close frames.
    const before = lengths.map((length) => frame(2, Buffer.alloc(length, 0x88)));
    const { news } = watched(Buffer.concat([...before, closing(4403, 'not yours')]), cuts);
    expect(news).toEqual([{ code: 4403, reason: 'not yours' }]);
  });
  fc.assert(property, { numRuns: 60 });
});

test('an empty close frame has no code, and one that answers the client’s is no news', () => {
  expect(watched(frame(8, Buffer.alloc(0)), []).news).toEqual([{ code: 1005, reason: '' }]);
  const news: CloseNews[] = [];
  const watch = createCloseWatch((told) => news.push(told));
  expect(watch.isOver).toBe(false);
  watch.sent(frame(8, Buffer.from([3, 232]), true));
  watch.received(closing(1000, ''));
  expect(news).toEqual([]);
  expect(watch.isOver).toBe(true);
});

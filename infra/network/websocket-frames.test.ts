import { expect, test } from 'vitest';
import { createFrameReader, maskedFrame, OPCODES } from './websocket-frames.ts';

function readInParts(stream: Buffer, size: number) {
  const controls: [number, string][] = [];
  const data: [number, boolean][] = [];
  const read = createFrameReader({
    onData: (bytes, isLast) => data.push([bytes, isLast]),
    onControl: (opcode, payload) => controls.push([opcode, payload.toString()]),
  });
  for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));
  return { controls, data };
}

test('frames are found wherever the network cuts them', () => {
  const frames = [
    Buffer.from([0x02, 3, 1, 2, 3]),
    Buffer.from([0x89, 2, 0x61, 0x62]),
    Buffer.concat([Buffer.from([0x80, 126, 1, 0]), Buffer.alloc(256, 0x89)]),
    maskedFrame(OPCODES.binary, Buffer.alloc(70_000, 0x88)),
    Buffer.from([0x88, 0]),
  ];
  for (const size of [1, 2, 3, 7, 250, 1000]) {
    const { controls, data } = readInParts(Buffer.concat(frames), size);
    expect(controls).toEqual([
      [OPCODES.ping, 'ab'],
      [OPCODES.close, ''],
    ]);
    expect(data).toEqual([
      [3, false],
      [256, true],
      [70_000, true],
    ]);
  }
});

test('a control frame that claims more than the RFC allows is passed over, and not held', () => {
  const huge = Buffer.from([0x89, 127, 0, 0, 0xff, 0, 0, 0, 0, 0]);
  expect(readInParts(Buffer.concat([huge, Buffer.alloc(64)]), 16)).toEqual({ controls: [], data: [] });
});

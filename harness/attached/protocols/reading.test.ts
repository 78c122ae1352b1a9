import * as encoding from 'lib0/encoding';
import { expect, test } from 'vitest';
import { readingOf } from '../protocols.ts';
import { CLOSE } from './hocuspocus.ts';
import { JOINED, joinFrame, UPDATE } from './loro.ts';
import { EMPTY_UPDATE, EMPTY_VECTOR, STEP_1, STEP_2, syncFrame } from './y-websocket.ts';

const DOCUMENT = 'one';
const THEIRS = Uint8Array.of(1, 7, 3);
const CONTENT = Uint8Array.of(1, 2, 3, 4);

function readerOf(protocol: string) {
  const attaches = { protocol, documentIn: 'path' } as never;
  return readingOf({ attaches })!.reader({ document: DOCUMENT, token: null, presence: false });
}

const step = (step: number, content: Uint8Array) => syncFrame(null, step, content);

test('a client of Yjs that is cut off before it got the document asks for all of it again', () => {
  const reader = readerOf('y-websocket');
  expect(reader.opening()).toEqual([step(STEP_1, EMPTY_VECTOR)]);
  reader.hear(step(STEP_1, THEIRS));
  expect(reader.opening()).toEqual([step(STEP_1, EMPTY_VECTOR)]);
  // In either order.
  reader.hear(step(STEP_2, CONTENT));
  expect(reader.hear(step(STEP_1, THEIRS)).isIn).toBe(true);
  expect(reader.opening()).toEqual([step(STEP_1, THEIRS)]);
  reader.hear(step(STEP_2, EMPTY_UPDATE));
  // One that has forgotten the document gets it.
  expect(reader.hear(step(STEP_1, EMPTY_VECTOR)).answers).toEqual([step(STEP_2, CONTENT)]);
});

test('a client of Yjs that found the document empty holds what it gets later', () => {
  const reader = readerOf('y-websocket');
  for (const [vector, content] of [
    [EMPTY_VECTOR, EMPTY_UPDATE],
    [THEIRS, CONTENT],
  ] as const) {
    reader.opening();
    reader.hear(step(STEP_1, vector));
    reader.hear(step(STEP_2, content));
  }
  reader.opening();
  expect(reader.hear(step(STEP_1, EMPTY_VECTOR)).answers).toEqual([step(STEP_2, CONTENT)]);
});

function loroFrame(kind: number, ...parts: Uint8Array[]): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeUint8Array(encoder, new TextEncoder().encode('%LOR'));
  encoding.writeVarString(encoder, DOCUMENT);
  encoding.writeUint8(encoder, kind);
  if (kind === JOINED) encoding.writeVarString(encoder, 'write');
  for (const part of parts) encoding.writeVarUint8Array(encoder, part);
  return encoding.toUint8Array(encoder);
}

test('so does a client of Loro', () => {
  const reader = readerOf('loro-protocol');
  const joinsWith = (version: Uint8Array) =>
    expect(reader.opening()).toEqual([joinFrame({ document: DOCUMENT, token: null, version })]);
  const none = loroFrame(JOINED, EMPTY_VECTOR);
  joinsWith(EMPTY_VECTOR);
  reader.hear(loroFrame(JOINED, THEIRS));
  joinsWith(EMPTY_VECTOR);
  reader.hear(none);
  reader.hear(loroFrame(UPDATE, EMPTY_UPDATE));
  joinsWith(EMPTY_VECTOR);
  reader.hear(loroFrame(JOINED, THEIRS));
  const content = loroFrame(UPDATE, CONTENT);
  expect(reader.hear(content).isIn).toBe(true);
  joinsWith(THEIRS);
  expect(reader.hear(none).answers).toEqual([content]);
});

test('a client of Hocuspocus hears that the server closes its document over a living line', () => {
  const reader = readerOf('hocuspocus');
  const frame = encoding.encode((encoder) => {
    encoding.writeVarString(encoder, DOCUMENT);
    encoding.writeVarUint(encoder, CLOSE);
    encoding.writeVarString(encoder, 'Reset Connection');
  });
  expect(reader.hear(frame)).toEqual({ answers: [], isIn: false, denied: 'it is closed: Reset Connection' });
});

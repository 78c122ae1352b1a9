import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { createVirtualStore } from '../../infra/virtual/store.ts';
import { keepInStandIn } from './persistence.ts';

/** The way to the store, and the way back. */
const DELAY_MS = 10;

function createStore() {
  const clock = createVirtualClock();
  const store = createVirtualStore(clock, DELAY_MS);
  const pass = async (ms: number) => {
    await clock.turn();
    await clock.run(clock.nowMs() + ms);
  };
  return { store, pass };
}

test('the stand-in takes one update after the other: a process that is killed loses those that wait', async () => {
  const { store, pass } = createStore();
  let isThere = true;
  const { persistence } = keepInStandIn({ name: 'stand-in', ask: store.askedBy(() => isThere) });
  const doc = new Y.Doc();
  persistence.bindState('one', doc);
  // Nothing is held, and the document's state is written.
  await pass(4 * DELAY_MS);
  for (const letter of 'abc') doc.getText().insert(doc.getText().length, letter);
  // The second is on its way.
  await pass(2.5 * DELAY_MS);
  isThere = false;
  await pass(10 * DELAY_MS);
  const again = keepInStandIn({ name: 'stand-in', ask: store.askedBy(() => true) });
  const kept = again.persistence.provider.getYDoc('one');
  await pass(2 * DELAY_MS);
  expect((await kept).getText().toString()).toBe('a');
});

test('a server that ends writes what was typed while it still read the stored document', async () => {
  const { store, pass } = createStore();
  const standIn = { name: 'stand-in', ask: store.askedBy(() => true) } as const;
  const { persistence, close } = keepInStandIn(standIn);
  const doc = new Y.Doc();
  persistence.bindState('one', doc);
  doc.getText().insert(0, 'typed');
  let isClosed = false;
  close().then(() => {
    isClosed = true;
  });
  await pass(1.5 * DELAY_MS);
  expect(isClosed).toBe(false);
  await pass(4 * DELAY_MS);
  expect(isClosed).toBe(true);
  const kept = keepInStandIn(standIn).persistence.provider.getYDoc('one');
  await pass(2 * DELAY_MS);
  expect((await kept).getText().toString()).toBe('typed');
});

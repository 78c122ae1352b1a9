import { expect, test } from 'vitest';
import { covers, LastMessages, wholeDocumentOf } from './whole-document.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (messages: readonly Uint8Array[]) => messages.map((message) => new TextDecoder().decode(message));

test('a whole document holds its state, the messages since, and what must be there before them', () => {
  const clock = { ada: 3 };
  const last = new LastMessages(() => ({ ...clock }));
  for (const text of ['one', 'two']) {
    clock.ada++;
    last.add(bytes(text));
  }
  const { state, since, messages } = wholeDocumentOf(last.withState(bytes('state')))!;
  expect({ state: texts([state]), since, messages: texts(messages) }).toEqual({
    state: ['state'],
    since: { ada: 3 },
    messages: ['one', 'two'],
  });
  expect(wholeDocumentOf(bytes('a message of the library'))).toBeNull();
});

test('of many messages the last thousand or two are kept, through others that begin with them, and the clock says what was before', () => {
  const clock = { ada: 0 };
  let last = new LastMessages(() => ({ ...clock }));
  for (let count = 1; count <= 3500; count++) {
    clock.ada = count;
    last.add(bytes(String(count)));
    if (count % 1000 > 2 && count % 250 !== 0) continue;
    const whole = wholeDocumentOf(last.withState(bytes('')))!;
    const { since, messages } = whole;
    last = new LastMessages(() => ({ ...clock }), whole);
    expect(messages.length).toBeLessThanOrEqual(2000);
    // Never a gap: whoever has as much as it says gets all the rest.
    expect(Number(texts(messages)[0])).toBeLessThanOrEqual(since.ada! + 1);
    expect(texts(messages).at(-1)).toBe(String(count));
  }
});

test.each([
  [{}, {}, true],
  [{ ada: 2 }, {}, true],
  [{ ada: 2, ben: 1 }, { ada: 2 }, true],
  [{ ada: 2 }, { ada: 3 }, false],
  [{ ada: 2 }, { ben: 0 }, true],
  [{ ada: 2 }, { ben: 1 }, false],
])('%j covers %j: %j', (clock, other, expected) => {
  expect(covers(clock, other)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { quicken } from './quicken.ts';

const USERS = 3;
const user = fc.nat(USERS - 1);
const at = fc.nat(400);
/** The edits that a binding applies at the cursor: a key with or without a format, the Backspace key, a format behind it. */
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('x', 'yz', '\n').map((insert) => ({ insert })) },
  { weight: 1, arbitrary: fc.constant({ insert: 'b', attributes: { bold: true } }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((back) => ({ back })) },
  { weight: 1, arbitrary: fc.constantFrom(true, null).map((bold) => ({ retain: 2, attributes: { bold } })) },
  { weight: 1, arbitrary: fc.integer({ min: -120, max: 20 }).map((move) => ({ move })) },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ user, at, insert: fc.constantFrom('a', 'bcd', '\n', '😀') }) },
  { weight: 3, arbitrary: fc.record({ user, at, delete: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      user,
      at,
      format: fc.integer({ min: 1, max: 12 }),
      as: fc.constantFrom({ bold: true }, { bold: null }, { italic: true, bold: true }, { italic: null }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ user, at, types: fc.array(key, { minLength: 1, maxLength: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ user, at, atOnce: fc.array(key, { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ receives: user }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Keys = Extract<Step, { types: unknown }>['types'];

function changeAtOnce(text: Y.Text, index: number, keys: Keys): void {
  text.doc!.transact(() => {
    text.insert(Math.floor(index / 2), 'first');
    typeAt(text, index, keys);
  });
}

function typeAt(text: Y.Text, cursor: number, keys: Keys): void {
  let index = cursor;
  const change = (at: number, op: object) => text.applyDelta(at === 0 ? [op] : [{ retain: at }, op]);
  for (const each of keys) {
    if ('insert' in each) {
      change(index, each);
      index += each.insert.length;
    } else if ('back' in each) {
      const count = Math.min(each.back, index);
      index -= count;
      if (count > 0) change(index, { delete: count });
    } else if ('retain' in each) {
      if (index + each.retain <= text.length) change(index, each);
    } else {
      index = Math.min(Math.max(0, index + each.move), text.length);
    }
  }
}

/** The events of every user's text for each transaction, and the final documents. */
function told(steps: readonly Step[]): unknown[] {
  const heard: unknown[] = [];
  const seed = new Y.Doc();
  seed.clientID = USERS + 1;
  seed.getText('text').insert(0, 'The document that all begin with. '.repeat(10));
  seed.getText('text').format(0, 20, { bold: true });
  seed.getText('text').format(150, 5, { italic: true });
  const users = Array.from({ length: USERS }, (_, number) => {
    const doc = new Y.Doc();
    doc.clientID = number + 1;
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(seed));
    doc.getText('text').observe((event) => heard.push(number, event.delta));
    return { doc, missed: [] as Uint8Array[] };
  });
  for (const [number, { doc }] of users.entries()) {
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'others')
        for (const [other, { missed }] of users.entries()) if (other !== number) missed.push(update);
    });
  }
  const receive = ({ doc, missed }: (typeof users)[number]) => {
    const applyAll = () => {
      for (const update of missed.splice(0)) Y.applyUpdate(doc, update, 'others');
    };
    Y.transact(doc, applyAll, 'others', false);
  };
  for (const each of steps) {
    if ('receives' in each) {
      receive(users[each.receives]!);
      continue;
    }
    const text = users[each.user]!.doc.getText('text');
    const index = Math.min(each.at, text.length);
    if ('types' in each) typeAt(text, index, each.types);
    else if ('atOnce' in each) changeAtOnce(text, index, each.atOnce);
    else if ('insert' in each) text.insert(index, each.insert);
    else if ('delete' in each) text.delete(index, Math.min(each.delete, text.length - index));
    else text.format(index, Math.min(each.format, text.length - index), each.as);
  }
  for (let round = 0; round < 3; round++) for (const each of users) receive(each);
  return [...heard, ...users.map(({ doc }) => [doc.getText('text').toDelta(), Y.encodeStateAsUpdate(doc)])];
}

test('quickened, the texts of three users tell the same changes, and end as the same documents', () => {
  const scripts = fc.sample(fc.array(step, { minLength: 20, maxLength: 80 }), { numRuns: 150, seed: 1 });
  const before = scripts.map(told);
  quicken();
  expect(scripts.map(told)).toEqual(before);
});

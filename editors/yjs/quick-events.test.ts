import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { quickenEvents } from './quick-events.ts';

const USERS = 3;
const user = fc.nat(USERS - 1);
const at = fc.nat(60);
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
  { weight: 2, arbitrary: fc.record({ receives: user }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What every user's text tells of each transaction, and the documents in the end. */
function told(steps: readonly Step[]): unknown[] {
  const heard: unknown[] = [];
  const users = Array.from({ length: USERS }, (_, number) => {
    const doc = new Y.Doc();
    doc.clientID = number + 1;
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
    if ('insert' in each) text.insert(index, each.insert);
    else if ('delete' in each) text.delete(index, Math.min(each.delete, text.length - index));
    else text.format(index, Math.min(each.format, text.length - index), each.as);
  }
  for (let round = 0; round < 3; round++) for (const each of users) receive(each);
  return [...heard, ...users.map(({ doc }) => doc.getText('text').toDelta())];
}

test('quickened, the texts of three users tell the same changes, and end as the same documents', () => {
  const scripts = fc.sample(fc.array(step, { minLength: 20, maxLength: 80 }), { numRuns: 150, seed: 1 });
  const before = scripts.map(told);
  quickenEvents();
  expect(scripts.map(told)).toEqual(before);
});

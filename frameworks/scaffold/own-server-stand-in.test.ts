/** Both halves of the stand-in for a library with a server of its own, without a network that would order things kindly. */
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { canonicalDelta } from '../../editors/base/kit.ts';
import { CLIENT_PARAMETER, REVISION_PARAMETER, StandIn } from './templates/own-server/editor/stand-in.ts';
import { StandInDocument } from './templates/own-server/server/stand-in.ts';

/** One connection: what is on its way in either direction. */
class Wire extends EventEmitter {
  toClient: string[] = [];
  toServer: string[] = [];
  send(message: string): void {
    this.toClient.push(message);
  }
  terminate(): void {
    this.emit('close');
  }
}

interface Member {
  document: StandIn;
  wire: Wire;
  /** What an editor shows that got every change. */
  shown: Delta;
}

const member = fc.nat(2);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ member, kind: fc.constant('insert'), at: fc.nat(60), count: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ member, kind: fc.constant('delete'), at: fc.nat(60), count: fc.nat(8) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        member,
        kind: fc.constantFrom('bold', 'plain', 'line'),
        at: fc.nat(60),
        count: fc.nat(8),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        member,
        kind: fc.constantFrom('send', 'to server', 'to client'),
        at: fc.nat(0),
        count: fc.nat(4),
      }),
    },
    { weight: 1, arbitrary: fc.record({ member, kind: fc.constant('break'), at: fc.nat(0), count: fc.nat(2) }) },
  ),
  { minLength: 20, maxLength: 80 },
);

function connect(server: StandInDocument, document: StandIn): Wire {
  const wire = new Wire();
  const query = new URLSearchParams(document.query);
  const revision = query.get(REVISION_PARAMETER);
  server.connect(
    wire as unknown as WebSocket,
    query.get(CLIENT_PARAMETER)!,
    revision === null ? null : Number(revision),
  );
  return wire;
}

function join(server: StandInDocument): Member {
  const document = new StandIn({ send: (message) => joined.wire.toServer.push(message), onInSync() {} });
  const joined: Member = { document, wire: connect(server, document), shown: new Delta() };
  toClient(joined, 1);
  joined.shown = document.contents;
  return joined;
}

function toServer({ wire }: Member, count: number): void {
  for (const message of wire.toServer.splice(0, count)) wire.emit('message', Buffer.from(message));
}

function toClient(each: Member, count: number): void {
  for (const message of each.wire.toClient.splice(0, count)) {
    each.shown = each.shown.compose(each.document.receive(message));
  }
}

function change({ shown }: Member, kind: string, at: number, count: number): Delta {
  const last = shown.length() - 1;
  const start = at % (last + 1);
  const delta = new Delta().retain(start);
  if (kind === 'insert') return delta.insert('abc\n'.slice(count), count === 1 ? { bold: true } : {});
  if (kind === 'delete') return delta.delete(Math.min(count, last - start));
  const formats = { bold: { bold: true }, plain: { bold: null }, line: { line: 'header:1' } }[kind]!;
  return delta.retain(Math.min(count, last + 1 - start), formats);
}

const json = (delta: Delta) => JSON.stringify(canonicalDelta(delta).ops);

test('whatever is on its way when, and whichever connection breaks, all end with the same document', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const server = new StandInDocument();
      const members = [join(server), join(server), join(server)];
      for (const { member: index, kind, at, count } of drawn) {
        const each = members[index]!;
        if (kind === 'send') each.document.send();
        else if (kind === 'to server') toServer(each, count);
        else if (kind === 'to client') toClient(each, count);
        else if (kind === 'break') {
          // Some of what was on its way came through.
          toServer(each, count);
          each.document.broke();
          each.wire = connect(server, each.document);
        } else {
          const made = change(each, kind, at, count);
          each.document.change(made);
          each.shown = each.shown.compose(made);
        }
        expect(json(each.shown)).toBe(json(each.document.contents));
      }
      for (let round = 0; round < 4; round++) {
        for (const each of members) {
          each.document.send();
          toServer(each, Number.POSITIVE_INFINITY);
        }
        for (const each of members) toClient(each, Number.POSITIVE_INFINITY);
        for (const each of members) toServer(each, Number.POSITIVE_INFINITY);
      }
      for (const each of members) toClient(each, Number.POSITIVE_INFINITY);
      members.push(join(server));
      expect(new Set(members.map(({ shown }) => json(shown))).size).toBe(1);
      expect(members.some(({ document }) => document.canSend)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

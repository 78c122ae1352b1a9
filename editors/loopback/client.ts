/**
 * Loopback: hands every delta of the one writer to the watchers through a relay, and merges nothing. It costs next to
 * nothing, so what is measured with it is the harness itself. With two writers it diverges, and the verdict must say so.
 */
import Delta, { type Op } from 'quill-delta';
import { type RelayedDocument, relayedClient } from '../base/binding/relayed.ts';

export const client = relayedClient('loopback', () => ({
  createDocument,
  contentsOfSaved: (saved) => new Delta(decode<Op[]>(saved)),
}));

function createDocument(): RelayedDocument {
  let contents = new Delta().insert('\n');
  let unsent = new Delta();
  const sender = crypto.randomUUID().slice(0, 8);
  let sent = 0;
  /** How many came from each sender: a relay that starts again passes on what some have already. */
  const taken = new Map<string, number>();
  const isNew = ({ from, number }: Message) => {
    if (number < (taken.get(from) ?? 0)) return false;
    taken.set(from, number + 1);
    return true;
  };
  return {
    contents: () => contents,
    change(delta) {
      contents = contents.compose(delta);
      unsent = unsent.compose(delta);
    },
    takeMessage() {
      const message: Message = { from: sender, number: sent++, ops: unsent.ops };
      unsent = new Delta();
      return encode(message);
    },
    receive(messages) {
      const news = messages.map((message) => decode<Message>(message)).filter(isNew);
      const change = news.reduce((all, { ops }) => all.compose(new Delta(ops)), new Delta());
      contents = contents.compose(change);
      return change;
    },
    save: () => encode(contents.ops),
  };
}

interface Message {
  from: string;
  number: number;
  ops: Op[];
}

function encode(value: Message | Op[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decode<Value>(bytes: Uint8Array): Value {
  return JSON.parse(new TextDecoder().decode(bytes));
}

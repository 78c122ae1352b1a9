import { CRichText, CRuntime } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { keepsIntent, type RichText, type Stage } from './rich-text.ts';

export const program: Program = (capability) => keepsIntent(capability, open);

interface Replica {
  runtime: CRuntime;
  text: CRichText<Record<string, unknown>>;
  unsent: Uint8Array[];
}

function open(text: string): Stage {
  const seed = create('seed');
  seed.runtime.transact(() => seed.text.insert(0, text, {}));
  const saved = seed.runtime.save();
  const [one, other] = ['a', 'b'].map((name) => {
    const replica = create(name);
    replica.runtime.load(saved);
    return replica;
  }) as [Replica, Replica];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      for (const message of forOne) one.runtime.receive(message);
      for (const message of forOther) other.runtime.receive(message);
    },
  };
}

function create(name: string): Replica {
  const runtime = new CRuntime({ debugReplicaID: name });
  const text = runtime.registerCollab('text', (init) => new CRichText(init, { noGrowAtEnd: ['link'] }));
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, text, unsent };
}

/** An insert always names its formats. */
function bind({ runtime, text }: Replica): RichText {
  return {
    insert: (position, typed) => runtime.transact(() => text.insert(position, typed, {})),
    insertWith: (position, typed, formats) => runtime.transact(() => text.insert(position, typed, formats)),
    format: (start, end, name, value) => runtime.transact(() => text.format(start, end, name, value)),
    unformat: (start, end, name) => runtime.transact(() => text.format(start, end, name, undefined)),
    spans: () => text.formatted().map(({ values, format }) => ({ text: values, formats: format })),
  };
}

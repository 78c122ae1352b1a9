/** Collabs: a CText, plain text. */
import { CRuntime, CText } from '@collabs/collabs';
import { type Engine, type EngineDocument, lastUpdate, type OpenOptions } from './engine.ts';
import { COMMON_START, lettersOf } from './identity.ts';

/** A replica's name is ten random ones. */
const NAME_LETTERS = '+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const engine: Engine = {
  about: {
    package: '@collabs/collabs',
    algorithm: 'Fugue',
    licence: 'Apache-2.0',
    kind: 'library',
    // It counts a character of two units as two when it is inserted, and as one afterwards.
    wideCharacters: false,
  },
  open: (options) => create(options),
  load: (saved) => create({ identity: COMMON_START, updates: false }, saved),
};

function create({ identity, updates }: OpenOptions, saved?: Uint8Array): EngineDocument {
  const runtime = new CRuntime({ autoTransactions: 'error', debugReplicaID: lettersOf(identity, 10, NAME_LETTERS) });
  const text = runtime.registerCollab('text', (init) => new CText(init));
  if (saved !== undefined) runtime.load(saved);
  const change = (position: number, deleted: number, inserted: string) => {
    if (deleted > 0) text.delete(position, deleted);
    if (inserted !== '') text.insert(position, inserted);
  };
  return {
    edit: (position, deleted, inserted) => runtime.transact(() => change(position, deleted, inserted)),
    together: (make) => runtime.transact(() => make(change)),
    text: () => text.toString(),
    takeUpdate: lastUpdate(updates, (keep) => runtime.on('Send', ({ message }) => keep(message))),
    receive(received) {
      if (received.length === 1) runtime.receive(received[0]!);
      else {
        runtime.batchRemoteUpdates(() => {
          for (const update of received) runtime.receive(update);
        });
      }
    },
    save: () => [{ name: 'state', history: false, bytes: runtime.save() }],
  };
}

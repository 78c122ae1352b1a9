/** Presence of Automerge: automerge-repo's, the package by the same authors that connects documents. */
import * as Automerge from '@automerge/automerge';
import {
  type Message,
  NetworkAdapter,
  type PeerId,
  Repo,
  type RepoMessage,
  Presence as RepoPresence,
} from '@automerge/automerge-repo';
import type { Outcome } from './outcome.ts';
import { type Presence, showsPresence } from './presence.ts';

export function presence(): Promise<Outcome> {
  return showsPresence(async () => {
    const [adaNetwork, benNetwork] = [new MemoryAdapter(), new MemoryAdapter()];
    const adaRepo = new Repo({ network: [adaNetwork], peerId: 'ada' as PeerId });
    const benRepo = new Repo({ network: [benNetwork], peerId: 'ben' as PeerId });
    await Promise.all([adaNetwork.connected, benNetwork.connected]);
    adaNetwork.meet(benNetwork);
    benNetwork.meet(adaNetwork);
    const adaHandle = adaRepo.create({ text: '' });
    const benHandle = await benRepo.find(adaHandle.url);
    const ada = new RepoPresence<{ shown: Presence }>({ handle: adaHandle });
    const ben = new RepoPresence<{ shown: Presence | null }>({ handle: benHandle });
    ben.start({ initialState: { shown: null } });
    return {
      ada: {
        show(shown) {
          if (ada.running) ada.broadcast('shown', shown);
          else ada.start({ initialState: { shown } });
        },
        leave: () => ada.stop(),
      },
      seenByBen: () => Object.values(ben.getPeerStates().value).map(({ value }) => value.shown!),
      saved: () => Automerge.save(adaHandle.doc()),
      async close() {
        ada.stop();
        ben.stop();
        await Promise.all([adaRepo.shutdown(), benRepo.shutdown()]);
      },
    };
  });
}

/** Two repositories in one process. */
class MemoryAdapter extends NetworkAdapter {
  readonly #connecting = Promise.withResolvers<void>();
  /** Resolves once its repository has asked it to. */
  readonly connected: Promise<void> = this.#connecting.promise;
  #other: MemoryAdapter | null = null;

  isReady(): boolean {
    return true;
  }

  async whenReady(): Promise<void> {}

  connect(peerId: PeerId): void {
    this.peerId = peerId;
    this.#connecting.resolve();
  }

  meet(other: MemoryAdapter): void {
    this.#other = other;
    this.emit('peer-candidate', { peerId: other.peerId!, peerMetadata: {} });
  }

  send(message: Message): void {
    setImmediate(() => this.#other?.emit('message', message as RepoMessage));
  }

  disconnect(): void {
    this.#other = null;
  }
}

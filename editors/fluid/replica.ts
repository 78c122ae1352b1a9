/** A user's container, whose text is bound to the editor. */
import { type FluidContainer, TinyliciousClient } from '@fluidframework/tinylicious-client';
import { type SequenceDeltaEvent, SharedString } from 'fluid-framework/legacy';
import type Delta from 'quill-delta';
import {
  bindEditor,
  composeAll,
  gatherReceived,
  type JoinOptions,
  type Replica,
  unpackLineFormats,
  watchConnection,
} from '../base/kit.ts';
import { createResolver, documentNumber, type Place, placeAt } from './place.ts';
import { changeBy, contentsOf, deltaOf } from './rich-text.ts';

const SCHEMA = { initialObjects: { text: SharedString } };
/** Clients of which version may read the document. */
const COMPATIBILITY = '2';
const CONNECTED = 2;
/** The library tells no code of a connection's end. RFC 6455: it ended without one. */
const NO_CODE = 1006;
/** Limit for leaving: the server should have the last keys by then. */
const LAST_SEND_LIMIT_MS = 500;
const LAST_SEND_POLL_MS = 10;

/** @throws Error naming the framework if its server cannot be reached */
export async function joinContainer(framework: string, options: JoinOptions): Promise<Replica> {
  const { url, documentId, editor, batching, ...callbacks } = options;
  const container = await openContainer(placeAt(url), documentId).catch((error: Error) => {
    throw new Error(
      `no connection to the ${framework} server at ${url}: it does not listen, or refuses (${error.message})`,
    );
  });
  const { text } = container.initialObjects;
  const watch = watchConnection({ framework, ...callbacks, giveUp: () => container.dispose() });
  container.on('connected', watch.inSync);
  container.on('disconnected', () => watch.broke(NO_CODE));
  container.on('disposed', (error) =>
    watch.refused(`${framework} closed the document: ${error?.message ?? 'no reason'}`),
  );
  if (container.connectionState === CONNECTED) watch.inSync();
  await watch.joined;

  const binding = bindEditor({ editor, contents: contentsOf(text), onChange: (change) => changeBy(text, change) });
  const received: Delta[] = [];
  const show = () => {
    if (received.length > 0) binding.show(composeAll(received.splice(0)));
  };
  const onDelta = (event: SequenceDeltaEvent) => {
    if (event.isLocal) return;
    // Where taking in takes long, the library pauses in the midst of it, and nobody may type into an older text than its own.
    if (received.length === 0) queueMicrotask(show);
    received.push(deltaOf(event));
  };
  text.on('sequenceDelta', onDelta);
  const stopGathering = gatherInbound(inboundQueueOf(container), batching);
  return {
    contents: () => unpackLineFormats(contentsOf(text)),
    save: () => new TextEncoder().encode(JSON.stringify(text.getAttachSummary(true).summary)),
    async leave() {
      for (let waitedMs = 0; container.isDirty && waitedMs < LAST_SEND_LIMIT_MS; waitedMs += LAST_SEND_POLL_MS) {
        await new Promise((resolve) => setTimeout(resolve, LAST_SEND_POLL_MS));
      }
      watch.stop();
      stopGathering();
      binding.unbind();
      text.off('sequenceDelta', onDelta);
      container.dispose();
    },
  };
}

/** The document, which whoever comes first makes. */
async function openContainer(place: Place, documentId: string): Promise<FluidContainer> {
  const client = new TinyliciousClient();
  Reflect.set(client, 'urlResolver', createResolver(place));
  const known = await documentNumber(place, documentId);
  if (known !== null) return (await client.getContainer(known, SCHEMA, COMPATIBILITY)).container;
  const { container } = await client.createContainer(SCHEMA, COMPATIBILITY);
  container.initialObjects.text.insertText(0, '\n');
  const offered = await container.attach();
  const first = await documentNumber(place, documentId, offered);
  if (first === offered) return container;
  container.dispose();
  return (await client.getContainer(first!, SCHEMA, COMPATIBILITY)).container;
}

/** The library's queue of what has arrived and is not taken in yet. */
interface InboundQueue {
  readonly length: number;
  on(event: 'push' | 'idle', listener: () => void): void;
  off(event: 'push' | 'idle', listener: () => void): void;
  pause(): Promise<void>;
  resume(): void;
}

function inboundQueueOf(container: FluidContainer): InboundQueue {
  return Reflect.get(container, 'container').deltaManager.inbound;
}

/** Lets in what arrived within a receive batch together. @returns what ends it */
function gatherInbound(inbound: InboundQueue, batching: JoinOptions['batching']): () => void {
  const gathers = batching.receiveMs > 0;
  // The library counts the holders of the queue, itself among them if taking in takes long.
  let isHeld = false;
  const hold = () => {
    if (!gathers || isHeld) return;
    isHeld = true;
    void inbound.pause();
  };
  const incoming = gatherReceived<null>(batching, () => {
    if (!isHeld || inbound.length === 0) return;
    isHeld = false;
    inbound.resume();
  });
  const onPush = () => incoming.add(null);
  inbound.on('push', onPush);
  inbound.on('idle', hold);
  hold();
  return () => {
    incoming.stop();
    inbound.off('push', onPush);
    inbound.off('idle', hold);
  };
}

import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { mergesOffline } from './offline.ts';

interface Document {
  model: Model;
  /** json-joy merges patches, so an application keeps those that others may lack. */
  patches: Uint8Array[];
}

export const program: Program = () =>
  mergesOffline<Document>({
    create(text) {
      const model = Model.create(undefined, FIRST_SESSION);
      model.api.set({ text });
      model.api.flush();
      return { model, patches: [] };
    },
    insert({ model, patches }, position, text) {
      model.api.str(['text']).ins(position, text);
      return { model, patches: [...patches, model.api.flush().toBinary()] };
    },
    text: ({ model }) => (model.view() as { text: string }).text,
    save: ({ model, patches }) => packed([model.toBinary(), ...patches]),
    load(saved, replica) {
      const [state, ...patches] = unpacked(saved);
      return { model: Model.load(state!, FIRST_SESSION + replica), patches };
    },
    exchange(one, other) {
      one.model.applyBatch(other.patches.map((patch) => Patch.fromBinary(patch)));
      other.model.applyBatch(one.patches.map((patch) => Patch.fromBinary(patch)));
      return [one, other];
    },
  });

function packed(parts: readonly Uint8Array[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parts.map((part) => Buffer.from(part).toString('base64'))));
}

function unpacked(bytes: Uint8Array): Uint8Array[] {
  const parts = JSON.parse(new TextDecoder().decode(bytes)) as string[];
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')));
}

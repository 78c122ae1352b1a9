import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Program } from '../outcome.ts';
import { FIRST_SESSION, modelOf } from '../pairs/json-joy.ts';
import { type TextLibrary, triesText } from './text.ts';

interface Document {
  model: Model;
  /** json-joy merges patches, so an application keeps those that others may lack. */
  patches: Uint8Array[];
}

const LIBRARY: TextLibrary<Document> = {
  create: (text) => ({ model: modelOf({ text }), patches: [] }),
  insert({ model, patches }, position, text) {
    model.api.str(['text']).ins(position, text);
    const patch = model.api.flush().toBinary();
    return [{ model, patches: [...patches, patch] }, patch];
  },
  receive(document, update) {
    document.model.applyPatch(Patch.fromBinary(update));
    return document;
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
};

/** The saved state of an older version is the model alone. */
const MODEL_ALONE: TextLibrary<Document> = {
  ...LIBRARY,
  save: ({ model }) => model.toBinary(),
  load: (saved, replica) => ({ model: Model.load(saved, FIRST_SESSION + replica), patches: [] }),
};

export const program: Program = (capability) =>
  triesText(capability, 'json-joy', capability === 'encodings' ? MODEL_ALONE : LIBRARY);

function packed(parts: readonly Uint8Array[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parts.map((part) => Buffer.from(part).toString('base64'))));
}

function unpacked(bytes: Uint8Array): Uint8Array[] {
  const parts = JSON.parse(new TextDecoder().decode(bytes)) as string[];
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')));
}

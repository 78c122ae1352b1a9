import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { agreesThroughOpaqueServer } from './relay.ts';

export const program: Program = () =>
  agreesThroughOpaqueServer<Model>({
    seed(text) {
      const model = Model.create(undefined, FIRST_SESSION);
      model.api.set({ text });
      model.api.flush();
      return model.toBinary();
    },
    open: (seed, replica) => Model.load(seed, FIRST_SESSION + replica),
    insert(model, position, text) {
      model.api.str(['text']).ins(position, text);
      return [model, model.api.flush().toBinary()];
    },
    receive(model, update) {
      model.applyPatch(Patch.fromBinary(update));
      return model;
    },
    text: (model) => (model.view() as { text: string }).text,
  });

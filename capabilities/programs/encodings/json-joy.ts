import { Model } from 'json-joy/lib/json-crdt/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { staysReadable } from './encodings.ts';

export const program: Program = () =>
  staysReadable<Model>(
    {
      create(text) {
        const model = Model.create(undefined, FIRST_SESSION);
        model.api.set({ text });
        model.api.flush();
        return model;
      },
      insert(model, position, text) {
        model.api.str(['text']).ins(position, text);
        model.api.flush();
        return model;
      },
      text: (model) => (model.view() as { text: string }).text,
      save: (model) => model.toBinary(),
      load: (saved) => Model.load(saved, FIRST_SESSION + 1),
    },
    'json-joy',
  );

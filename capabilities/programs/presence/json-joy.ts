import * as crdt from 'json-joy/lib/json-crdt/index.js';
import * as extensions from 'json-joy/lib/json-crdt-extensions/index.js';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered(
    'looked for presence, awareness and ephemeral state among what the JSON CRDT and its extensions export',
    ['Presence', 'Awareness', 'Ephemeral', 'EphemeralStore'].flatMap((name): [object, string][] => [
      [crdt, name],
      [extensions, name],
    ]),
  );

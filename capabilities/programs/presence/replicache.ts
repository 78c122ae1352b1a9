import * as replicache from 'replicache';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered(
    'looked for presence, awareness and ephemeral state among what the package exports and on Replicache',
    [replicache, replicache.Replicache.prototype].flatMap((owner) =>
      ['Presence', 'presence', 'Awareness', 'awareness', 'Ephemeral', 'ephemeral'].map((name): [object, string] => [
        owner,
        name,
      ]),
    ),
  );

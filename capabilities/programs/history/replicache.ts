import { Replicache } from 'replicache';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered(
    'looked for checkout, history, versions, snapshots and views on Replicache',
    ['checkout', 'history', 'versions', 'snapshot', 'viewAt'].map((name): [object, string] => [
      Replicache.prototype,
      name,
    ]),
  );

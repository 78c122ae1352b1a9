import * as collabs from '@collabs/collabs';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered('looked for checkout, history, versions, snapshots and views on CRuntime, AbstractDoc and CText', [
    ...[collabs.CRuntime, collabs.AbstractDoc, collabs.CText].flatMap(({ prototype }) =>
      ['checkout', 'history', 'versions', 'snapshot', 'viewAt'].map((name): [object, string] => [prototype, name]),
    ),
  ]);

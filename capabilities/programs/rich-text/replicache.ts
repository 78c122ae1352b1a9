/** It holds values by keys. Text is such a value, which a mutator replaces as a whole. */
import * as replicache from 'replicache';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered(
    'looked for a type for text or rich text among what the package exports: it holds values by keys',
    ['Text', 'RichText', 'YText', 'format', 'mark'].map((name): [object, string] => [replicache, name]),
  );

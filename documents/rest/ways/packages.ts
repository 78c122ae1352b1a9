/** What ways need beside a store. Apart from the ways, so that naming a version loads no library. */
import type { WAYS } from '../../../harness/experiment/document-experiments.ts';

export type WayName = (typeof WAYS)[number];

const PACKAGES: Readonly<Record<WayName, string>> = {
  rewrite: 'yjs',
  append: 'yjs',
  compact: 'yjs',
  decompose: 'position-strings',
};

/** The npm package whose version says what is written. */
export function packageOf(way: WayName): string {
  return PACKAGES[way];
}

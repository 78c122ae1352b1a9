/** The ways that experiments can name. Each is loaded when it is used: naming a version loads no library. */
import type { WAYS } from '../../../harness/experiment/document-experiments.ts';
import type { Way } from './way.ts';

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

const LOADERS: Readonly<Record<WayName, () => Promise<Way>>> = {
  rewrite: async () => (await import('./yjs-ways.ts')).rewrite,
  append: async () => (await import('./yjs-ways.ts')).append,
  compact: async () => (await import('./yjs-ways.ts')).compact,
  decompose: async () => (await import('./decompose.ts')).way,
};

/** Loads the way’s code. */
export function loadWay(name: WayName): Promise<Way> {
  return LOADERS[name]();
}

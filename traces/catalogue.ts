/** Public traces that can be fetched by name. They are not part of this project: each has its author and licence. */

export interface CataloguedTrace {
  name: string;
  address: string;
  /** Of the file as it is served, gzipped. */
  sha256: string;
  licence: string;
  author: string;
  description: string;
}

const EDITING_TRACES = 'https://raw.githubusercontent.com/josephg/editing-traces/master';

export const CATALOGUE: readonly CataloguedTrace[] = [
  {
    name: 'automerge-paper',
    address: `${EDITING_TRACES}/sequential_traces/automerge-paper.json.gz`,
    sha256: '42c0ff1720c0cad77077e190e36135c9cab9f7bbc266351c0a7fe4981c6a1546',
    licence: 'CC BY 4.0',
    author: 'Martin Kleppmann (automerge-perf)',
    description: 'one author writes a LaTeX paper, in 259,778 edits of one character',
  },
  {
    name: 'sveltecomponent',
    address: `${EDITING_TRACES}/sequential_traces/sveltecomponent.json.gz`,
    sha256: '0393353a1ff0281f4a2adad080b0843bffa7988f9a4869ed04faf0984f78a234',
    licence: 'CC BY 4.0',
    author: 'Joseph Gentle (editing-traces)',
    description: 'one author in a code editor: longer insertions and deletions, several cursors',
  },
  {
    name: 'friendsforever',
    address: `${EDITING_TRACES}/concurrent_traces/friendsforever.json.gz`,
    sha256: 'c80f9ee71bb2f063d58d1db8513d60145f0f7e209f6c72c8600b22eee73a2769',
    licence: 'CC BY 4.0',
    author: 'Joseph Gentle (editing-traces)',
    description: 'two authors write at once, with 1 s of latency between them',
  },
];

export function catalogued(name: string): CataloguedTrace | undefined {
  return CATALOGUE.find((entry) => entry.name === name);
}

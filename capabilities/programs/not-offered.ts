/** Interfaces that a library does not have, with the names looked for: the programs of cells with nothing to try. */
import { notOffered, type Outcome, type ProgramName, type Programs } from './outcome.ts';

interface Row {
  program: ProgramName;
  library: string;
  why: string;
  /** The packages' modules, each with what of it is looked at: its exports (the empty name), or one's prototype. */
  on: Readonly<Record<string, readonly string[]>>;
  /** Not one of these may be there. */
  names: readonly string[];
}

const EXPORTS = '';
const HISTORY = ['checkout', 'history', 'versions', 'snapshot', 'viewAt'];

const NOT_OFFERED: readonly Row[] = [
  {
    program: 'rich-text',
    library: 'replicache',
    why: 'looked for a type for text or rich text among what the package exports: it holds values by keys',
    on: { replicache: [EXPORTS] },
    names: ['Text', 'RichText', 'YText', 'format', 'mark'],
  },
  {
    program: 'undo',
    library: 'automerge',
    why: 'looked for undo, redo and an undo manager among what the package exports',
    on: { '@automerge/automerge': [EXPORTS] },
    names: ['undo', 'redo', 'canUndo', 'UndoManager'],
  },
  {
    program: 'undo',
    library: 'collabs',
    why: 'looked for undo, redo and an undo manager among what the package exports, and on CRuntime',
    on: { '@collabs/collabs': [EXPORTS, 'CRuntime'] },
    names: ['undo', 'redo', 'UndoManager', 'CUndo'],
  },
  {
    program: 'presence',
    library: 'json-joy',
    why: 'looked for presence, awareness and ephemeral state among what the JSON CRDT and its extensions export',
    on: {
      'json-joy/lib/json-crdt/index.js': [EXPORTS],
      'json-joy/lib/json-crdt-extensions/index.js': [EXPORTS],
    },
    names: ['Presence', 'Awareness', 'Ephemeral', 'EphemeralStore'],
  },
  {
    program: 'presence',
    library: 'replicache',
    why: 'looked for presence, awareness and ephemeral state among what the package exports and on Replicache',
    on: { replicache: [EXPORTS, 'Replicache'] },
    names: ['Presence', 'presence', 'Awareness', 'awareness', 'Ephemeral', 'ephemeral'],
  },
  {
    program: 'history',
    library: 'collabs',
    why: 'looked for checkout, history, versions, snapshots and views on CRuntime, AbstractDoc and CText',
    on: { '@collabs/collabs': ['CRuntime', 'AbstractDoc', 'CText'] },
    names: HISTORY,
  },
  {
    program: 'history',
    library: 'replicache',
    why: 'looked for checkout, history, versions, snapshots and views on Replicache',
    on: { replicache: ['Replicache'] },
    names: HISTORY,
  },
];

/** The row of a cell; undefined if the library has a program of its own. */
export function rowOf(program: ProgramName, library: string): Row | undefined {
  return NOT_OFFERED.find((row) => row.program === program && row.library === library);
}

export const programs: Programs = Object.fromEntries(
  NOT_OFFERED.map(({ program }) => [program, (_: string, library: string) => lookFor(rowOf(program, library)!)]),
);

async function lookFor({ why, on, names }: Row): Promise<Outcome> {
  const owners: object[] = [];
  for (const [name, looked] of Object.entries(on)) {
    const module = (await import(/* @vite-ignore */ name)) as Record<string, { prototype: object }>;
    for (const owner of looked) owners.push(owner === EXPORTS ? module : module[owner]!.prototype);
  }
  return notOffered(why, owners, names);
}

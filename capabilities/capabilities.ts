/** Capabilities of frameworks, and the libraries that are asked: the rows and columns of the table. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInstalled, type PackageSet } from '../frameworks/packages/ready-packages.ts';
import { sourceTreeOf } from '../frameworks/packages/source-tree.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { rowOf } from './programs/not-offered.ts';
import type { Outcome, ProgramName, Programs } from './programs/outcome.ts';

export interface Capability {
  id: string;
  title: string;
  /** The condition that its programs test. */
  holds: string;
  /** Of each library; several capabilities may share one. */
  program: ProgramName;
}

export const CAPABILITIES: readonly Capability[] = [
  row(
    'offline-merge',
    'works offline and merges',
    'Two edit apart, one of them across a restart; then they hold the same, and no edit is lost.',
    'text',
  ),
  richText(
    'bold-at-its-end',
    'bold grows at its end',
    'What is typed at the end of a bold word is bold: typed later, and typed at once with the word becoming bold.',
  ),
  richText(
    'insert-within-bold',
    'bold holds what is typed into it',
    'What is typed in the middle of a range that another makes bold at once is bold.',
  ),
  richText(
    'overlapping-formats',
    'formats of two overlap',
    'One makes a range bold, another an overlapping one italic, or bold too, at once: every letter has what either gave it.',
  ),
  richText(
    'bold-against-unbold',
    'bold against unbold',
    'One makes a range bold while another takes bold off a part of it: both see the same, the part is all bold or not at all, and the rest is as its only editor left it.',
  ),
  richText(
    'link-edges',
    'a link’s edges stay',
    'What is typed right before or right after a link is no part of it: typed later, and typed at once with the link being made.',
  ),
  row(
    'undo',
    'undo of one’s own edits only',
    'After another’s edit, undo takes back one’s own last edit and leaves the other’s; redo brings it back.',
  ),
  row(
    'nested-data',
    'nested data',
    'Two change a map in a list in a map at once, and the list too: all changes are there, in their places.',
  ),
  row(
    'list-move',
    'moves in lists without duplicates',
    'Two move the same item at once, and one another item: every item is there once, in one order for both.',
  ),
  row(
    'presence',
    'presence',
    'By the library’s own means: others see who is there with a cursor, see it change, and see when one has gone; the document keeps nothing of it.',
  ),
  row(
    'history',
    'history and time travel',
    'An earlier state of the document, what is deleted since included, can be looked at, and the present one stays.',
  ),
  row('partial-load', 'partial load', 'A part of a document can be read, and edited, without the rest being loaded.'),
  row(
    'opaque-server',
    'the server needs no knowledge of content',
    'Two and a latecomer agree through a server that sees only bytes that it cannot read.',
    'text',
  ),
  row(
    'encodings',
    'states stay readable',
    'What was saved is loaded again and edited on: what this version saved, and what an older one did.',
    'text',
  ),
];

function row(id: string, title: string, holds: string, program = id as ProgramName): Capability {
  return { id, title, holds, program };
}

function richText(id: string, title: string, holds: string): Capability {
  return row(id, `rich text: ${title}`, holds, 'rich-text');
}

export interface Library {
  /** Also the file name of its programs. */
  name: string;
  title: string;
  /** The package whose version is shown. */
  package: string;
  /** Other packages of this project that its programs take. */
  besides?: readonly string[];
  /** Packages that the project does not bring, such as for their licence: installed if the library is named. */
  onDemand?: PackageSet;
}

export const LIBRARIES: readonly Library[] = [
  { name: 'yjs', title: 'Yjs', package: 'yjs', besides: ['y-protocols'] },
  {
    name: 'automerge',
    title: 'Automerge',
    package: '@automerge/automerge',
    besides: ['@automerge/automerge-repo'],
  },
  { name: 'loro', title: 'Loro', package: 'loro-crdt' },
  { name: 'collabs', title: 'Collabs', package: '@collabs/collabs' },
  { name: 'sharedb', title: 'ShareDB', package: 'sharedb', besides: ['rich-text'] },
  { name: 'json-joy', title: 'json-joy', package: 'json-joy' },
  {
    name: 'replicache',
    title: 'Replicache',
    package: 'replicache',
    // Its terms, https://roci.dev/terms.html, are no open licence.
    onDemand: { packages: { replicache: '15.3.0', '@rocicorp/undo': '0.2.1' } },
  },
];

/** True if its programs can run now. */
export function isHere({ onDemand }: Library): boolean {
  return onDemand === undefined || isInstalled(onDemand);
}

/** The file of a cell's program, from the project's folder. */
export function programPath({ program }: Capability, { name }: Library): string {
  return `capabilities/programs/${rowOf(program, name) === undefined ? name : 'not-offered'}.ts`;
}

/**
 * Runs one program in this process.
 *
 * @throws the program's error: it has failed, and says nothing of the library
 */
export async function runProgram(capability: Capability, library: Library): Promise<Outcome> {
  const root = library.onDemand === undefined ? PROJECT_ROOT : await sourceTreeOf(library.onDemand);
  const { href } = pathToFileURL(join(root, programPath(capability, library)));
  const { programs } = (await import(/* @vite-ignore */ href)) as { programs: Programs };
  return await programs[capability.program]!(capability.id, library.name);
}

import * as Automerge from '@automerge/automerge';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered(
    'looked for undo, redo and an undo manager among what the package exports',
    ['undo', 'redo', 'canUndo', 'UndoManager'].map((name) => [Automerge, name]),
  );

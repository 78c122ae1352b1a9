import * as collabs from '@collabs/collabs';
import { notOffered, type Program } from '../outcome.ts';

export const program: Program = () =>
  notOffered('looked for undo, redo and an undo manager among what the package exports, and on CRuntime', [
    ...['undo', 'redo', 'UndoManager', 'CUndo'].map((name): [object, string] => [collabs, name]),
    ...['undo', 'redo'].map((name): [object, string] => [collabs.CRuntime.prototype, name]),
  ]);

/** Cells of kept runs that tests share: to open them takes longer than to ask. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Cells } from '../cells.ts';

let ofProject: Promise<Cells> | undefined;
let latest: { kept: string; cells: Promise<Cells> } | undefined;

/** The cells of the project's kept runs, opened once. */
export function projectCells(): Promise<Cells> {
  ofProject ??= Cells.open();
  return ofProject;
}

/** The cells of another project's kept runs, opened again only if a run was kept, or removed. */
export async function cellsIn(root: string): Promise<Cells> {
  const folder = statSync(join(root, 'results/measured'), { bigint: true, throwIfNoEntry: false });
  const kept = `${root} ${folder?.mtimeNs}`;
  if (latest?.kept !== kept) latest = { kept, cells: Cells.open(root) };
  return await latest.cells;
}

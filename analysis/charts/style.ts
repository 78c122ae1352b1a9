/** The style sheet that all pages with charts share. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the order in which they override one another. */
const SHEETS = ['base', 'tables', 'charts', 'media'];

export async function readStyle(): Promise<string> {
  const path = (sheet: string) => join(import.meta.dirname, 'page/style', `${sheet}.css`);
  return (await Promise.all(SHEETS.map((sheet) => readFile(path(sheet), 'utf8')))).join('\n');
}

/** How the rows of a page are drawn: each framework, engine or store in its colour. Browser-safe. */
import { assignStyles, type FrameworkStyle } from '../charts/palette.ts';
import type { PageData } from './page-data.ts';
import { baseName, whoOf } from './selection.ts';

export function stylesOf({ rows, frameworks }: PageData): ReadonlyMap<string, FrameworkStyle> {
  const names = [...new Set(rows.map(whoOf))];
  const colours = names.flatMap((name) => {
    const known = frameworks[name] ?? frameworks[baseName(name)];
    return known === undefined ? [] : [[name, known.colour] as const];
  });
  return assignStyles(names, Object.fromEntries(colours));
}

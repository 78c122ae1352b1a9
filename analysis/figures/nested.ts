/** Objects whose values have paths, such as `localLatencyMs.p50` in `summary.json`. Browser-safe. */

/** An object of figures, those with a dot in their name one level down. */
export function nestFigures(figures: Iterable<readonly [name: string, value: number | null]>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of figures) {
    const [outer, inner] = name.split('.') as [string, string | undefined];
    if (inner === undefined) nested[outer] = value;
    else nested[outer] = { ...(nested[outer] as object), [inner]: value };
  }
  return nested;
}

/** The values of an object by their paths; a list is one value. */
export function leavesOf(value: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    isObject(inner) ? leavesOf(inner, `${prefix}${key}.`) : [[prefix + key, inner]],
  );
}

/** True of a value with properties that have names: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

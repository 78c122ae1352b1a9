/** Names in a sentence: the first of them, and how many more there are. */
export function enumerate(names: readonly string[], { most, between }: { most: number; between: string }): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(between)} and ${rest} more` : names.join(between);
}

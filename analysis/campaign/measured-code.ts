/** The code that measured runs, by their environments. Rows of two are two instruments' and stand together only with a sentence. */

/** As `environment.json` tells it; runs before 26 November 2026 name no code. */
type Environment = Readonly<Record<string, unknown>>;

/** `commit 817bb39e`, perhaps `with changes (sources 4bf1…)`; without git `sources 4bf1…`; else `unknown commit`. */
export function nameOfCode({ commit, changed, sources }: Environment): string {
  if (typeof sources !== 'string') return 'unknown commit';
  if (typeof commit !== 'string') return `sources ${sources}`;
  return `commit ${commit.slice(0, 8)}${changed === true ? ` with changes (sources ${sources})` : ''}`;
}

/** A sentence on what was measured by code that differs; none if all is of one, or of none that is known. */
export function warnOfCode(measured: readonly { name: string; environment: Environment }[]): string[] {
  const groups = Map.groupBy(measured, ({ environment }) => environment.sources);
  if (groups.size < 2) return [];
  const named = [...groups.values()].map((group) => {
    const names = [...new Set(group.map(({ name }) => name))];
    return `${names.join(', ')}: ${nameOfCode(group[0]!.environment)}`;
  });
  return [`the code that measured differs, so figures may differ by it: ${named.join('; ')}`];
}

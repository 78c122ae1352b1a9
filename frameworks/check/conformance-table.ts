/** The conformance suite's results for people: one row for each framework and mode, one column for each property. */
import { alignTable } from '../../results/text-table.ts';
import { type CheckResult, type Outcome, SAVED_STATE } from './conformance.ts';
import { PROPERTIES } from './properties.ts';

const SIGNS: Record<Outcome, string> = { holds: '✓', fails: '✗', 'known issue': '!', 'not supported': '–' };

/** The table, what its columns mean, and why a cell is not ✓. */
export function formatCheck(results: readonly CheckResult[], seed: number): string {
  const checked = new Set(results.flatMap(({ findings }) => findings.map(({ property }) => property)));
  const columns = [...PROPERTIES, SAVED_STATE].filter(({ id }) => checked.has(id));
  const table = alignTable([
    ['framework', 'mode', ...columns.map(({ id }) => id)],
    ...results.map(({ framework, mode, findings }) => [
      framework,
      mode,
      ...columns.map(({ id }) => {
        const finding = findings.find(({ property }) => property === id);
        return finding === undefined ? '' : SIGNS[finding.outcome];
      }),
    ]),
  ]);
  const legend = columns.map(({ id, title }) => `  ${id}: ${title}`).join('\n');
  return [
    table,
    `✓ holds   ✗ fails   ! known issue of the library   – not supported\n${legend}`,
    ...explain(results, seed),
  ].join('\n\n');
}

function explain(results: readonly CheckResult[], seed: number): string[] {
  const reasons = results.flatMap(({ framework, mode, findings }) =>
    findings
      .filter(({ outcome }) => outcome !== 'holds')
      .map(({ property, outcome, message }) => ({ outcome, message, where: `${framework} ${mode}`, property })),
  );
  // Often a whole row has one reason.
  const grouped = Map.groupBy(reasons, ({ outcome, message, where }) => JSON.stringify([outcome, message, where]));
  const lines = [...grouped.values()].map((group) => {
    const [{ outcome, message, where }] = group as [(typeof group)[number]];
    const properties = group.map(({ property }) => property).join(', ');
    return `${SIGNS[outcome]} ${where}, ${properties}: ${message}`;
  });
  const failures = reasons.filter(({ outcome }) => outcome === 'fails');
  const hint = failures.map(({ where, property }) => {
    const [framework, mode] = where.split(' ');
    return `  ./scriptorium check ${framework} --mode ${mode} --only ${property} --seed ${seed}`;
  });
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(hint.length > 0 ? [`To see a failure again (seed ${seed}):\n${[...new Set(hint)].join('\n')}`] : []),
  ];
}

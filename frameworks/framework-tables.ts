/** The frameworks as `scriptorium list` shows them. */
import { crowdOf, presenceOf } from '../editors/base/framework.ts';
import { alignTable } from '../results/text-table.ts';
import { baseOf, NOT_YET } from './discover.ts';
import type { Framework } from './framework.ts';
import { lackedModes, modesOf } from './modes.ts';
import type { NeedState } from './needs.ts';
import { formatPackages } from './packages/ready-packages.ts';

/** A table for the terminal; below it, what keeps a framework from a mode, or from running at all, and what they need. */
export function formatFrameworks(frameworks: readonly Framework[], needs: readonly NeedState[] = []): string {
  const table = alignTable([
    ['framework', 'version', 'modes', 'writers', 'crowd', 'presence', 'known issues', 'algorithm', 'licence', 'server'],
    ...frameworks.map(({ about, ...framework }) => [
      framework.name,
      framework.version,
      modesOf(about).join(', '),
      about.oneWriter ? 'one' : 'all',
      crowdOf(about)?.kind ?? '–',
      presenceOf(about).by === undefined ? '–' : 'yes',
      knownIssuesOf({ ...framework, about }),
      about.algorithm,
      about.licence,
      about.server,
    ]),
  ]);
  const remarks = frameworks.flatMap(({ name, about, problem }) => [
    ...(problem === null || problem === NOT_YET ? [] : [`${name} cannot be used: ${problem}`]),
    ...(about.onDemand === undefined || problem !== null
      ? []
      : [`${name} has packages of its own: ${formatPackages(about.onDemand)}`]),
    ...(about.needsInternet ? [`${name} needs the internet: \`check\` leaves it out`] : []),
    ...lackedModes(about).map(({ mode, why }) => `${name} is not there in ${mode}: ${why}`),
  ]);
  const needed = needs.map(({ framework, need, seen, problem }) => `${framework} needs ${need}: ${problem ?? seen}`);
  const later = frameworks.filter(({ problem }) => problem === NOT_YET).map(({ name }) => name);
  const installed =
    later.length === 0 ? [] : [`not installed yet, but by the first run that names it: ${later.join(', ')}`];
  return [table, ...remarks, ...needed, ...installed].join('\n');
}

function knownIssuesOf({ name, kind, about, root }: Framework): string {
  if (about.knownIssues === undefined) return 'none';
  const where = kind === 'outside' ? root : `editors/${baseOf(name)}`;
  return `${about.knownIssues.length}, see ${where}`;
}

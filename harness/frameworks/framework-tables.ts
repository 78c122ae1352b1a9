/** The frameworks as `scriptorium list` shows them. */
import { crowdOf } from '../../editors/base/framework.ts';
import { lackedModes, modesOf } from '../modes.ts';
import { alignTable } from '../text-table.ts';
import type { FrameworkInfo } from './discover.ts';
import type { NeedState } from './needs.ts';

/** A table for the terminal; below it, what keeps a framework from a mode, or from running at all, and what they need. */
export function formatFrameworks(frameworks: readonly FrameworkInfo[], needs: readonly NeedState[] = []): string {
  const table = alignTable([
    ['framework', 'version', 'modes', 'writers', 'crowd', 'known issues', 'algorithm', 'licence', 'server'],
    ...frameworks.map(({ name, version, about }) => [
      name,
      version,
      modesOf(about).join(', '),
      about.oneWriter ? 'one' : 'all',
      crowdOf(about)?.kind ?? '–',
      about.knownIssues === undefined ? 'none' : `${about.knownIssues.length}, see editors/${name}`,
      about.algorithm,
      about.licence,
      about.server,
    ]),
  ]);
  const remarks = frameworks.flatMap(({ name, about, problem }) => [
    ...(problem === null ? [] : [`${name} cannot be used: ${problem}`]),
    ...(about.needsInternet ? [`${name} needs the internet: \`check\` leaves it out`] : []),
    ...lackedModes(about).map(({ mode, why }) => `${name} is not there in ${mode}: ${why}`),
  ]);
  const needed = needs.map(({ framework, need, seen, problem }) => `${framework} needs ${need}: ${problem ?? seen}`);
  return [table, ...remarks, ...needed].join('\n');
}

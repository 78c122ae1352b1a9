/** The frameworks as `scriptorium list` shows them. */
import { crowdOf, presenceOf } from '../../editors/base/framework.ts';
import { lackedModes, modesOf } from '../modes.ts';
import { alignTable } from '../text-table.ts';
import type { FrameworkInfo } from './discover.ts';

/** A table for the terminal; below it, what keeps a framework from a mode, or from running at all. */
export function formatFrameworks(frameworks: readonly FrameworkInfo[]): string {
  const table = alignTable([
    ['framework', 'version', 'modes', 'writers', 'crowd', 'presence', 'known issues', 'algorithm', 'licence', 'server'],
    ...frameworks.map(({ name, version, about }) => [
      name,
      version,
      modesOf(about).join(', '),
      about.oneWriter ? 'one' : 'all',
      crowdOf(about)?.kind ?? '–',
      presenceOf(about).by === undefined ? '–' : 'yes',
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
  return [table, ...remarks].join('\n');
}

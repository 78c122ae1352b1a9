/** The frameworks as tables: for `scriptorium list`, and for the README, which `npm run readme` keeps true. */
import { lackedModes, modesOf } from '../modes.ts';
import { alignTable } from '../text-table.ts';
import type { FrameworkInfo } from './discover.ts';

/** A table for the terminal; below it, what keeps a framework from a mode, or from running at all. */
export function formatFrameworks(frameworks: readonly FrameworkInfo[]): string {
  const table = alignTable([
    ['framework', 'version', 'modes', 'writers', 'known issues', 'algorithm', 'licence', 'server'],
    ...frameworks.map(({ name, version, about }) => [
      name,
      version,
      modesOf(about).join(', '),
      about.oneWriter ? 'one' : 'all',
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

/** The README's table, in Markdown. */
export function frameworksMarkdown(frameworks: readonly FrameworkInfo[]): string {
  const rows = frameworks.map(({ name, version, about }) => [
    `[\`${name}\`](editors/${name}/README.md)`,
    version,
    about.algorithm,
    about.licence,
    about.server,
    modesOf(about)
      .map((mode) => `\`${mode}\``)
      .join(', '),
    [...(about.knownIssues ?? []).map(({ summary }) => summary), ...lackedModes(about).map(({ why }) => why)].join(
      ' ',
    ) || 'none',
  ]);
  const headings = ['framework', 'version', 'algorithm', 'licence', 'server', 'modes', 'known issues'];
  return [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

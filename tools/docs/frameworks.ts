/** The frameworks in Markdown, for a page in `docs/`. */

import { markdownTable } from '../../analysis/tables/render.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { lackedModes, modesOf } from '../../frameworks/modes.ts';

/** The frameworks with what is known of each. */
export function frameworksMarkdown(frameworks: readonly Framework[]): string {
  return markdownTable(
    ['framework', 'version', 'algorithm', 'licence', 'server', 'tier', 'modes', 'sender batching'],
    frameworks.map(({ name, version, about }) => [
      `[\`${name}\`](../editors/${name}/README.md)`,
      version,
      about.algorithm,
      about.licence,
      about.server,
      about.tier,
      modesOf(about)
        .map((mode) => `\`${mode}\``)
        .join(', '),
      about.withoutSendBatching === undefined ? 'applies' : 'gathers by itself',
    ]),
  );
}

/** What a user of each framework must reckon with. */
export function knownIssuesMarkdown(frameworks: readonly Framework[]): string {
  return frameworks
    .flatMap(({ name, about }) => [
      ...(about.knownIssues ?? []).map(({ summary }) => [name, summary]),
      ...lackedModes(about).map(({ mode, why }) => [name, `Not in \`${mode}\`: ${why}`]),
    ])
    .map(([name, issue]) => `- [\`${name}\`](../editors/${name}/README.md): ${issue}`)
    .join('\n');
}

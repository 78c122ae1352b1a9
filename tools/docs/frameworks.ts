/** The frameworks in Markdown, for a page in `docs/`. */

import { markdownTable } from '../../analysis/tables/render.ts';
import { presenceOf } from '../../editors/base/framework.ts';
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

/** The known issues of each framework. */
export function knownIssuesMarkdown(frameworks: readonly Framework[]): string {
  return frameworks
    .flatMap(({ name, about }) => [
      ...(about.knownIssues ?? []).map(({ summary }) => [name, summary]),
      ...lackedModes(about).map(({ mode, why }) => [name, `Not in \`${mode}\`: ${why}`]),
    ])
    .map(([name, issue]) => `- [\`${name}\`](../editors/${name}/README.md): ${issue}`)
    .join('\n');
}

/** By what means each has presence, or why it has none. */
export function presenceMarkdown(frameworks: readonly Framework[]): string {
  const rows = frameworks.map(({ name, about }) => {
    const { by, lacking } = presenceOf(about);
    return [`\`${name}\``, by ?? `none. ${lacking}`];
  });
  return markdownTable(['framework', 'presence'], rows);
}

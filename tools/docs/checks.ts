/** The checks of the verdict in Markdown, from the list that judges. */

import { markdownTable } from '../../analysis/tables/render.ts';
import { CHECKS } from '../../analysis/verdict/checks.ts';

/** Where a check has no code of its own, each of its findings brings one. */
const OF_EACH_FINDING = 'of each finding';

export function checksMarkdown(): string {
  return markdownTable(
    ['code', 'makes a trial', 'but a note where this was asked to break', 'view with the findings'],
    CHECKS.map(({ code, makes, explainedBy = [], view }) => [
      code === null ? OF_EACH_FINDING : `\`${code}\``,
      makes === 'note' ? 'noted, still valid' : makes,
      explainedBy.join(', '),
      `\`${view}\``,
    ]),
  );
}

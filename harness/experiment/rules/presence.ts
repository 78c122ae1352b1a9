/** Users who see one another's cursors. */
import { crowdOf, presenceOf } from '../../../editors/base/framework.ts';
import type { Rule } from './rule.ts';

const frameworksHavePresence: Rule = {
  reads: ['presence', 'frameworks'],
  check: ({ presence, frameworks }, known) =>
    known.frameworks
      .filter(({ name }) => presence !== false && frameworks.includes(name))
      .flatMap(({ name, about }) => {
        const { lacking } = presenceOf(about);
        if (lacking === undefined) return [];
        const able = known.frameworks.filter((each) => presenceOf(each.about).by !== undefined);
        const names = able.map((each) => each.name).join(', ') || 'none here';
        const text = `"${name}" has none: ${lacking} Write false, or leave it out of the frameworks; these have it: ${names}`;
        return [{ paths: [['presence'], ['frameworks']], text }];
      }),
};

const crowdIsThere: Rule = {
  reads: ['presence', 'probes', 'frameworks'],
  check: ({ presence, probes, frameworks }, known) =>
    known.frameworks
      .filter(({ name }) => presence !== false && probes !== 'all' && frameworks.includes(name))
      .filter(({ about }) => crowdOf(about)?.kind === 'recorded')
      .map(({ name }) => ({
        paths: [['presence'], ['probes']],
        text: `the crowd of "${name}" is played from a recording, and who is played has no cursor; write "probes: all", or "presence: false"`,
      })),
};

export const PRESENCE_RULES: readonly Rule[] = [frameworksHavePresence, crowdIsThere];

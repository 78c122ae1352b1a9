/** What the document holds before anyone types. */
import { FLEETS } from '../../../infra/fleets.ts';
import { nearest } from '../nearest.ts';
import type { Rule } from './rule.ts';

const startIsKnown: Rule = {
  reads: ['start'],
  check({ start: { trace } }, { traces }) {
    if (traces === null || trace === null || traces.includes(trace)) return [];
    const meant = nearest(trace, traces);
    const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
    return [
      {
        paths: [['start', 'trace']],
        text: `there is no trace "${trace}"${hint}; write one of: ${traces.join(', ')}; or null`,
      },
    ];
  },
};

const startIsSent: Rule = {
  reads: ['start', 'trace', 'fleet.on'],
  check({ start, trace, fleet: { on } }) {
    // Where regions are really apart, the coordinator is there too, and is sent one trace.
    if (!FLEETS[on].regions || start.trace === null || start.trace === trace) return [];
    const text = `on ${on} the document can begin only as the trace that users replay ends; write "${trace}", or null`;
    return [
      {
        paths: [
          ['start', 'trace'],
          ['fleet', 'on'],
        ],
        text,
      },
    ];
  },
};

const documentsAreOurs: Rule = {
  reads: ['start', 'frameworks'],
  check({ start: { trace, characters }, frameworks }, known) {
    if (trace === null && characters === null) return [];
    return known.frameworks
      .filter(({ name, about }) => about.hosted !== undefined && frameworks.includes(name))
      .map(({ name }) => ({
        paths: [['start'], ['frameworks']],
        text: `the documents of "${name}" are another's and begin empty; leave it out`,
      }));
  },
};

export const START_RULES: readonly Rule[] = [startIsKnown, startIsSent, documentsAreOurs];

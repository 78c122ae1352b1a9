/** What no single property shows to be wrong: combinations that cannot run, or would measure nothing. */
import type { FrameworkAbout } from '../../editors/framework.ts';
import { formatDuration } from './duration.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import { nearest } from './nearest.ts';

/** Where a value stands in the file: `['users', 1]` is `users[1]`. */
export type Path = readonly (string | number)[];

/** Something that keeps an experiment from running. */
export interface Problem {
  /** The properties that it concerns; it is shown at the first of them that was written. */
  paths: Path[];
  /** What is wrong, the value seen, and what to write; completes "<property>: …". */
  text: string;
}

/** What the rules need to know of a framework. */
export interface KnownFramework {
  name: string;
  about: Pick<FrameworkAbout, 'modes' | 'oneWriter'>;
}

/** A sigil is five keys (`0a3f@`). */
const SIGIL_KEYS = 5;
/** At most half of what a user types may be sigils: the rest is the trace, which the measurement is about. */
const SIGIL_SHARE = 0.5;

interface Rule {
  /** Properties that it reads; it is skipped where one of them is wrong by itself. */
  reads: string[];
  check(file: ExperimentFile, known: readonly KnownFramework[]): Problem[];
}

const RULES: Rule[] = [
  {
    reads: ['frameworks'],
    check: ({ frameworks }, known) =>
      frameworks.flatMap((name, index) => {
        const names = known.map((each) => each.name);
        if (names.includes(name)) return [];
        const meant = nearest(name, names);
        const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
        const text = `there is no framework "${name}"${hint}; write one of: ${names.join(', ') || 'none is installed'}`;
        return [{ paths: [['frameworks', index]], text }];
      }),
  },
  {
    reads: ['frameworks', 'modes'],
    check: ({ frameworks, modes }, known) =>
      known
        .filter(({ name }) => frameworks.includes(name))
        .flatMap(({ name, about }) =>
          modes.flatMap((mode, index) => {
            if (about.modes.includes(mode)) return [];
            const text = `"${name}" does not support "${mode}"; it supports: ${about.modes.join(', ')}`;
            return [{ paths: [['modes', index], ['frameworks']], text }];
          }),
        ),
  },
  ...(['frameworks', 'modes', 'users'] as const).map((property) => ({
    reads: [property],
    check: (file: ExperimentFile) =>
      file[property].flatMap((value, index, all: unknown[]) =>
        all.indexOf(value) === index
          ? []
          : [{ paths: [[property, index]], text: `${JSON.stringify(value)} stands here twice; write it once` }],
      ),
  })),
  {
    reads: ['writers', 'users'],
    check: ({ writers, users }) => {
      const fewest = Math.min(...users);
      if (writers === 'all' || writers <= fewest) return [];
      const text = `${writers} writers are more than the ${fewest} users of the smallest cell; write ${fewest} at most, or all`;
      return [{ paths: [['writers'], ['users']], text }];
    },
  },
  {
    reads: ['writers', 'users', 'frameworks'],
    check: ({ writers, users, frameworks }, known) => {
      const most = writers === 'all' ? Math.max(...users) : writers;
      return known
        .filter(({ name, about }) => frameworks.includes(name) && about.oneWriter && most > 1)
        .map(({ name }) => ({
          paths: [['writers'], ['frameworks']],
          text: `"${name}" does not merge concurrent edits, so ${most} writers cannot use it; write "writers: 1"`,
        }));
    },
  },
  {
    reads: ['typing.formatOdds'],
    check: ({ typing: { formatOdds } }) => {
      const sum = formatOdds.inline + formatOdds.range + formatOdds.block;
      if (sum <= 1) return [];
      return [
        { paths: [['typing', 'formatOdds']], text: `the odds add up to ${sum}; write odds that add up to 1 at most` },
      ];
    },
  },
  {
    reads: ['typing.keysPerSecond', 'typing.sigilPeriod'],
    check: ({ typing: { keysPerSecond, sigilPeriod } }) => {
      const shortestMs = Math.ceil((SIGIL_KEYS / SIGIL_SHARE / keysPerSecond) * 1000);
      if (sigilPeriod >= shortestMs) return [];
      const text =
        `${formatDuration(sigilPeriod)} is too short: the ${SIGIL_KEYS} keys of a sigil would be more than half of ` +
        `those typed at ${keysPerSecond} per second; write ${formatDuration(shortestMs)} or longer`;
      return [
        {
          paths: [
            ['typing', 'sigilPeriod'],
            ['typing', 'keysPerSecond'],
          ],
          text,
        },
      ];
    },
  },
  {
    reads: ['durations.measure', 'typing.sigilPeriod'],
    check: ({ durations: { measure }, typing: { sigilPeriod } }) => {
      if (measure >= sigilPeriod) return [];
      const text =
        `a measured window of ${formatDuration(measure)} is shorter than the sigil period of ` +
        `${formatDuration(sigilPeriod)}, so latency might never be measured; write ${formatDuration(sigilPeriod)} or longer`;
      return [
        {
          paths: [
            ['durations', 'measure'],
            ['typing', 'sigilPeriod'],
          ],
          text,
        },
      ];
    },
  },
];

/**
 * Finds the combinations that cannot run.
 *
 * @param file   an experiment file in which wrong properties were replaced by their defaults
 * @param wrong  those properties: rules that read them are skipped
 */
export function checkRules(file: ExperimentFile, known: readonly KnownFramework[], wrong: readonly Path[]): Problem[] {
  const wrongNames = wrong.map((path) => path.join('.'));
  return RULES.filter(({ reads }) =>
    reads.every((name) => !wrongNames.some((each) => within(each, name) || within(name, each))),
  ).flatMap((rule) => rule.check(file, known));
}

/** Whether `inner` is `outer` or a property inside it; the empty name is the whole file. */
function within(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`);
}

/** What no single property shows to be wrong: combinations that cannot run, or would measure nothing. */
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { SIGIL_LENGTH, SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { formatAbout, formatDuration } from './duration.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import { imposesLimits } from './fleet-sizes.ts';
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
  about: Pick<FrameworkAbout, 'modes' | 'oneWriter' | 'hosted'>;
}

/** What numbers there are for one user's sigils; the last is the marker's by which a trial proves that it is ready. */
const MOST_SIGILS = SIGIL_NUMBERS - 1;
/** Shares add up to 1 within this, so that a third may be written as 0.333. */
const SHARE_TOLERANCE = 0.002;
/** At most half of what a user types may be sigils: the rest is the trace, which the measurement is about. */
const SIGIL_SHARE = 0.5;

/** The frameworks of the experiment that are another's service. */
function hostedIn({ frameworks }: ExperimentFile, known: readonly KnownFramework[]) {
  return known.flatMap(({ name, about: { hosted } }) =>
    hosted !== undefined && frameworks.includes(name) ? [{ name, ...hosted }] : [],
  );
}

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
    reads: ['frameworks', 'documents'],
    check: (file, known) => {
      const [hosted] = hostedIn(file, known);
      if (file.documents.length === 0) return [];
      if (hosted === undefined) {
        const text = 'none of the frameworks takes a link to a document; leave it out';
        return [{ paths: [['documents'], ['frameworks']], text }];
      }
      return file.documents.flatMap((link, index, all) => {
        const paths: Path[] = [['documents', index]];
        if (!hosted.isLink(link))
          return [{ paths, text: `${JSON.stringify(link)} is no link; write ${hosted.linkForm}` }];
        if (all.indexOf(link) === index) return [];
        return [{ paths, text: 'this document stands here twice; each trial needs a fresh one' }];
      });
    },
  },
  {
    reads: ['frameworks', 'users'],
    check: (file, known) =>
      hostedIn(file, known).flatMap(({ name, mostUsers }) =>
        file.users.flatMap((users, index) => {
          if (users <= mostUsers) return [];
          const text = `${users} users cannot edit one document of "${name}"; write ${mostUsers} at most`;
          return [{ paths: [['users', index], ['frameworks']], text }];
        }),
      ),
  },
  {
    reads: ['frameworks', 'fleet.on'],
    check: (file, known) =>
      hostedIn(file, known)
        .filter(() => file.fleet.on !== 'local')
        .map(({ name }) => ({
          paths: [['fleet', 'on'], ['frameworks']],
          text: `"${name}" has no server to start on ${file.fleet.on}; write local, or run it in an experiment of its own`,
        })),
  },
  {
    reads: ['frameworks', 'network'],
    check: (file, known) => {
      const { oneWayDelay, groups } = file.network;
      if (oneWayDelay === 0 && groups.every((group) => group.oneWayDelay === 0 && group.bandwidth === null)) return [];
      return hostedIn(file, known).map(({ name }) => ({
        paths: [['network'], ['frameworks']],
        text: `nothing can be put between users and the server of "${name}", which is another's; leave the network as it is`,
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
      const shortestMs = Math.ceil((SIGIL_LENGTH / SIGIL_SHARE / keysPerSecond) * 1000);
      if (sigilPeriod >= shortestMs) return [];
      const text =
        `${formatDuration(sigilPeriod)} is too short: the ${SIGIL_LENGTH} keys of a sigil would be more than half of ` +
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
  {
    reads: ['durations', 'typing.sigilPeriod', 'typing.keysPerSecond'],
    check: ({ durations: { warmUp, measure, profile }, typing: { sigilPeriod, keysPerSecond } }) => {
      const typingMs = warmUp + measure + profile;
      // A period is a whole number of keys, and so up to half a key's time shorter than what is written.
      const shortestMs = Math.ceil(typingMs / MOST_SIGILS + 500 / keysPerSecond);
      if (sigilPeriod >= shortestMs) return [];
      const text =
        `${formatDuration(sigilPeriod)} is too short for ${formatAbout(typingMs)} of typing: each user has ${MOST_SIGILS} ` +
        `sigils of its own; write ${formatDuration(shortestMs)} or longer`;
      return [{ paths: [['typing', 'sigilPeriod'], ['durations']], text }];
    },
  },
  {
    reads: ['network'],
    check: ({ network: { oneWayDelay, groups } }) => {
      if (groups.length === 0 || oneWayDelay === 0) return [];
      const text = `${formatDuration(oneWayDelay)} is a delay for everyone, but there are groups; write the delay in each group`;
      return [
        {
          paths: [
            ['network', 'oneWayDelay'],
            ['network', 'groups'],
          ],
          text,
        },
      ];
    },
  },
  {
    reads: ['network.groups'],
    check: ({ network: { groups } }) => {
      const sum = groups.reduce((total, { share }) => total + share, 0);
      if (groups.length === 0 || Math.abs(sum - 1) <= SHARE_TOLERANCE) return [];
      const text = `the shares of the groups add up to ${Number(sum.toFixed(4))}; write shares that add up to 1`;
      return [{ paths: [['network', 'groups']], text }];
    },
  },
  {
    reads: ['network.groups'],
    check: ({ network: { groups } }) =>
      groups.flatMap(({ name }, index) => {
        if (groups.findIndex((each) => each.name === name) === index) return [];
        const text = `"${name}" names another group already; write a name of its own`;
        return [{ paths: [['network', 'groups', index, 'name']], text }];
      }),
  },
  {
    reads: ['network.groups'],
    check: ({ network: { groups } }) =>
      groups.flatMap(({ oneWayDelay, jitter }, index) => {
        if (jitter <= oneWayDelay) return [];
        const text =
          `${formatDuration(jitter)} either way is more than the delay of ${formatDuration(oneWayDelay)}, so messages ` +
          `would arrive before they were sent; write ${formatDuration(oneWayDelay)} or less`;
        return [{ paths: [['network', 'groups', index, 'jitter']], text }];
      }),
  },
  {
    reads: ['fleet.on', 'fleet.region'],
    check: ({ fleet: { on, region } }) => {
      if (on !== 'fargate' || region !== null) return [];
      const text = 'the server needs a region on fargate; write "fleet.region", or give --region, such as us-east-1';
      return [
        {
          paths: [
            ['fleet', 'region'],
            ['fleet', 'on'],
          ],
          text,
        },
      ];
    },
  },
  {
    reads: ['fleet'],
    check: ({ fleet: { on, usersPerBrowser } }) => {
      if (!imposesLimits(on) || usersPerBrowser === null || usersPerBrowser === 1) return [];
      const text = `on ${on} each user has a container of its own, so ${usersPerBrowser} cannot share a browser; leave it out, or write 1`;
      return [{ paths: [['fleet', 'usersPerBrowser'], ['fleet']], text }];
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

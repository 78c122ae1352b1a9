/** The framework's servers: how many of them users are spread over, or those that somebody else runs. */
import * as z from 'zod';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import {
  block,
  duration,
  either,
  list,
  oneOf,
  orNull,
  property,
  reshaped,
  text,
  trueFalse,
  type ValueOf,
  wholeNumber,
  word,
} from './property.ts';

/** A WebSocket's. */
export const ADDRESS = /^wss?:\/\/[^\s/]+\S*$/;

const HEADER_FORM = 'a header as "Name: value"';

const server = block(
  {
    framework: property(word('the name of a framework'), {
      description: 'The framework of the experiment whose users go there.',
    }),
    url: property(text('an address such as wss://example.org/path', ADDRESS), {
      description:
        'Its address. `{document}` in it stands for the document’s name; without it, the name goes where the library’s own client puts it. As in headers and token, `{env:NAME}` and `{file:PATH}` stand for secrets, which are kept nowhere.',
    }),
    headers: property(list(text(HEADER_FORM, /^[A-Za-z0-9-]+:\s*\S.*$/), { empty: true }), {
      description: 'Headers of each connection, cookies too: `Cookie: session={env:SESSION}`.',
      default: [],
    }),
    token: property(orNull(word('a token')), {
      description: 'What the library’s protocol asks of users who join, if anything: `{env:TOKEN}`. null: nothing.',
      default: null,
    }),
    ca: property(orNull(word('the path of a file')), {
      description: 'A file (PEM) with the certificates to trust instead of the system’s. null: the system’s.',
      default: null,
    }),
    joinEvery: property(duration({ zero: true }), {
      description: 'Time between one user’s joining and the next’s; the first joins alone.',
      default: '100ms',
    }),
    write: property(trueFalse(), {
      description: 'true: documents named by the experiment need not be empty, and are written into all the same.',
      default: false,
    }),
    pid: property(orNull(wholeNumber(1)), {
      description: 'Its process here, whose CPU and memory are recorded, with all that it started. null: not known.',
      default: null,
    }),
    container: property(orNull(word('the name of a container')), {
      description: 'Its Docker container here, of which the same is recorded. null: none.',
      default: null,
    }),
    metrics: property(orNull(text('an address such as http://example.org/metrics', /^https?:\/\/\S+$/)), {
      description:
        'Address of its CPU, memory and event-loop delay, as Prometheus text (`process_cpu_seconds_total`, `process_resident_memory_bytes`, `nodejs_eventloop_lag_p99_seconds` and the like). With a process or container, that is where CPU and memory come from. null: nowhere.',
      default: null,
    }),
    series: property(list(text('the name of a series, without labels', /^[a-zA-Z_:][\w:]*$/), { empty: true }), {
      description:
        'Series at `metrics` that are recorded too, by their names: a gauge’s mean over the measured window, a counter’s growth per second, each summed over its labels.',
      default: [],
    }),
  },
  'a block of properties such as { framework: yjs, url: "ws://127.0.0.1:1234" }',
);

/** More than anybody puts behind one document; cells, messages and figures number them with one digit. */
export const MOST_SERVERS = 9;

/** As written: counts of the trial's own servers, or blocks, each of one that somebody else runs. Never both. */
export const servers = property(
  reshaped(list(either(wholeNumber(1, MOST_SERVERS), server), { empty: true }), {
    resolved: z.object({ counts: z.array(z.int().positive()), attached: z.array(server.resolved) }),
    reshape(written, refuse) {
      const counts = written.filter((each) => typeof each === 'number');
      const attached = written.filter((each) => typeof each !== 'number');
      if (counts.length > 0 && attached.length > 0) {
        const seen = `${counts[0]} counts servers that each trial starts, and the blocks beside it are servers that somebody else runs`;
        refuse(written.indexOf(counts[0]!), `${seen}; write counts or blocks`);
      }
      return { counts: counts.length === 0 ? [1] : counts, attached };
    },
  }),
  {
    description:
      'How many of the framework’s servers share each document, by the library’s own way; each count makes a cell. Or servers that somebody else runs, a block each, for the frameworks that are to use them; each other framework has the trial’s own. Users write only into fresh documents there, or into those that `documents` names.',
    default: 1,
    flag: { form: '--servers <counts>', help: 'servers that share each document, a cell for each', example: '1,3' },
  },
);
export type Servers = ValueOf<typeof servers>;

export type AttachedServer = Servers['attached'][number];

export const affinity = property(oneOf(['spread', 'document']), {
  description:
    'Which of several servers a user goes to. spread: in turns, user 0 to the first, user 1 to the second; document: all to the first, as a balancer does that knows documents.',
  default: 'spread',
});

type Affinity = ValueOf<typeof affinity>;

/** The number of a user’s server, from 0. @param count how many there are */
export function serverOf(user: number, { count, affinity }: { count: number; affinity: Affinity }): number {
  return affinity === 'document' ? 0 : user % count;
}

/** The experiment's server for a framework; null: the trial starts its own. */
export function serverFor(
  { servers }: { servers: Pick<Servers, 'attached'> },
  framework: string,
): AttachedServer | null {
  return servers.attached.find((server) => server.framework === framework) ?? null;
}

export type Observed = Pick<AttachedServer, 'pid' | 'container' | 'metrics' | 'series'>;

/** The ways in which an experiment's server can be seen; undefined: none. */
export function observedOf({ pid, container, metrics, series }: AttachedServer): Observed | undefined {
  return pid === null && container === null && metrics === null ? undefined : { pid, container, metrics, series };
}

/** True if a process of the trial is the server, or looks at somebody else's. */
export function takesServerProcess(server: AttachedServer | null): boolean {
  return server === null || observedOf(server) !== undefined;
}

/** More than a server that is not ours is loaded with by mistake. */
export const MOST_USERS = 100;

/** @param isAgreed the person says so; @throws UserError (2) naming how to */
export function refuseManyUsers(
  users: number,
  { isAgreed, readers = 0 }: { isAgreed: boolean; readers?: number },
): void {
  if (isAgreed || users + readers <= MOST_USERS) return;
  const people = readers === 0 ? `${users} users` : `${users} users and ${readers} readers`;
  throw new UserError(`${people} are more than ${MOST_USERS}; say --yes if the server's owner agrees to such a load`);
}

/** The same of the trials at such servers: those of other frameworks load this project's own. */
export function refuseManyAttached(
  { servers }: { servers: Pick<Servers, 'attached'> },
  { trials, isAgreed }: { trials: readonly Pick<PlannedTrial, 'framework' | 'users' | 'readers'>[]; isAgreed: boolean },
): void {
  for (const { framework, users, readers } of trials) {
    if (serverFor({ servers }, framework) !== null) refuseManyUsers(users, { isAgreed, readers });
  }
}

const NAMED_SECRET = /\{(?:env|file):[^}]+\}/;
const SECRET_HEADER = /^(?:cookie|[a-z-]*(?:key|token|auth|secret|passw|jwt|session|signature|credential)[a-z-]*):/i;
/** A parameter whose value is no name of one, or a password before the host. */
const SECRET_IN_ADDRESS =
  /[?&][\w-]*(?:token|auth|key|secret|passwd|password|jwt|session|sid|sig|signature|credential)(?:[_-]?id)?=(?!\{(?:env|file):)|^\w+:\/\/[^/@:]*:(?!\{(?:env|file):)[^/@]*@/i;

/** Each cookie is a secret by itself. */
function hasWrittenSecret(header: string): boolean {
  const parts = /^cookie:/i.test(header) ? header.replace(/;\s*$/, '').split(';') : [header];
  return SECRET_HEADER.test(header) && parts.some((part) => !NAMED_SECRET.test(part));
}

/** Secrets that stand where only their names may: the property of each, and what to write. */
export function writtenSecrets({
  url,
  headers,
  token,
  metrics = null,
}: Pick<AttachedServer, 'url' | 'headers' | 'token'> & Partial<Pick<AttachedServer, 'metrics'>>) {
  const named = 'write {env:NAME} or {file:PATH} in its place';
  const isInMetrics = metrics !== null && (SECRET_IN_ADDRESS.test(metrics) || NAMED_SECRET.test(metrics));
  const found = [
    { property: 'token', what: 'the token', isThere: token !== null && !NAMED_SECRET.test(token), remedy: named },
    { property: 'headers', what: 'a header’s secret', isThere: headers.some(hasWrittenSecret), remedy: named },
    { property: 'url', what: 'a secret', isThere: SECRET_IN_ADDRESS.test(url), remedy: named },
    // The process that reads them gets their address as an argument.
    { property: 'metrics', what: 'a secret', isThere: isInMetrics, remedy: 'write an address that needs none' },
  ];
  return found.flatMap(({ property, what, isThere, remedy }) => {
    const text = `${what} stands there for everyone to read, and would be kept with a run; ${remedy}`;
    return isThere ? [{ property, text }] : [];
  });
}

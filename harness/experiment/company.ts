/** The company of an experiment's users, a cell for each: cursors, agents that edit too, people who only read, stores and servers. */
import { crowdOf, type FrameworkAbout } from '../../editors/base/framework.ts';
import type { Company, PlannedTrial } from '../../results/formats/run-directory.ts';
import { list, property, text, wholeNumber } from './property.ts';
import { type Servers, serverFor } from './servers.ts';
import { backingsOf, type GivenBacking } from './stores.ts';

/** The kinds of agents; harness/users/typing/agent.ts says how each types. */
export const AGENT_KINDS = ['stream', 'rewrite'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

/** Tokens that an agent of the kind `stream` types per second, on average: as fast as people read along. */
export const TOKENS_PER_SECOND = 75;
/** An agent of the kind `rewrite` replaces so many characters, each time so long after the last, on average. */
export const REWRITTEN_CHARACTERS = 2000;
export const REWRITE_PERIOD_S = 10;

const NO_AGENTS = 'none';

export const agents = property(
  list(text('none, stream or rewrite; several of a kind as 3-stream', /^(?:none|(?:[1-9]\d?-)?(?:stream|rewrite))$/)),
  {
    description: `Agents that edit beside the users, through the framework’s client in Node; each entry makes a cell. stream: about ${TOKENS_PER_SECOND} tokens a second into one paragraph; rewrite: ${REWRITTEN_CHARACTERS} characters replaced in one change each ${REWRITE_PERIOD_S} s.`,
    default: [NO_AGENTS],
    flag: { form: '--agents <kinds>', help: 'agents that edit too, a cell for each', example: 'none,stream' },
  },
);

/** Each is a connection of the machine that measures. */
const MOST_READERS = 5000;

export const readers = property(list(wholeNumber(0, MOST_READERS)), {
  description:
    'How many more people only read, each count a cell. Two have the framework’s client in Node; the others are sockets that join as it does, receive, and decode nothing.',
  default: [0],
  flag: { form: '--readers <counts>', help: 'people who only read, a cell for each', example: '0,100,300' },
});

/** As an experiment has it. */
export interface GivenCompany extends GivenBacking {
  presence: boolean | 'both';
  agents: readonly string[];
  readers: readonly number[];
}

/** The combinations of an experiment: cells that differ in nothing else, those with less company first. */
export function companiesOf(experiment: GivenCompany): Company[] {
  const presences = experiment.presence === 'both' ? [false, true] : [experiment.presence];
  const beside = experiment.readers.flatMap((count) =>
    experiment.agents.flatMap((kind) =>
      presences.map((presence) => ({
        presence: presence ? (true as const) : undefined,
        agents: kind === NO_AGENTS ? undefined : kind,
        readers: count === 0 ? undefined : count,
      })),
    ),
  );
  return backingsOf(experiment).flatMap((behind) => beside.map((company) => companyIn({ ...company, ...behind })));
}

const KINDS = [
  'presence',
  'agents',
  'readers',
  'store',
  'writeDelayMs',
  'servers',
] as const satisfies readonly (keyof Company)[];

/** Those of a trial that it has. */
export function companyIn(trial: Company): Company {
  return Object.fromEntries(KINDS.flatMap((kind) => (trial[kind] === undefined ? [] : [[kind, trial[kind]]])));
}

export function agentsIn({ agents: entry }: Pick<PlannedTrial, 'agents'>): { count: number; kind: AgentKind } | null {
  if (entry === undefined) return null;
  const [kind, count = '1'] = entry.split('-').reverse() as [AgentKind, string?];
  return { count: Number(count), kind };
}

/** Readers with the framework's own client: their documents are compared with the users'. */
const READERS_WITH_CLIENTS = 2;

/** How many members of a trial are beside its users, in the order of their numbers. All sockets of readers are one member. */
export function countCompany(planned: Company): { agents: number; clientReaders: number; socketReaders: number } {
  const { readers: count = 0 } = planned;
  const clientReaders = Math.min(count, READERS_WITH_CLIENTS);
  return { agents: agentsIn(planned)?.count ?? 0, clientReaders, socketReaders: count - clientReaders };
}

/**
 * True if the crowd of a framework is played from a recording, where there is one. No recording has a cursor of each user, somebody
 * else's edits, or a document of another name, as at a server that somebody else runs: then the crowd is live.
 */
export function isCrowdRecorded(
  { name, about }: { name: string; about: Pick<FrameworkAbout, 'crowd' | 'hosted'> },
  experiment: Pick<GivenCompany, 'presence' | 'agents'> & {
    store: { reuse: boolean };
    servers: Pick<Servers, 'attached'>;
  },
): boolean {
  const { presence, agents: kinds, store } = experiment;
  const hasMore = presence !== false || kinds.some((kind) => kind !== NO_AGENTS) || store.reuse;
  return crowdOf(about)?.kind === 'recorded' && !hasMore && serverFor(experiment, name) === null;
}

/** For the plan. */
export function companyLines({ agents: kinds, readers: counts }: Pick<GivenCompany, 'agents' | 'readers'>): string[] {
  const hasAgents = kinds.some((kind) => kind !== NO_AGENTS);
  const hasReaders = counts.some((count) => count > 0);
  return [
    ...(hasAgents ? [`agents: ${kinds.join(', ')}; in Node, at the server`] : []),
    ...(hasReaders
      ? [`readers: ${counts.join(', ')}; ${READERS_WITH_CLIENTS} of them with a client in Node, the others sockets`]
      : []),
  ];
}

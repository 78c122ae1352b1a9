/** The options that lead to a server that somebody else runs. */
import type { Command } from 'commander';
import type { Override } from '../harness/experiment/experiment-options.ts';
import { MOST_USERS } from '../harness/experiment/servers.ts';
import { UserError } from '../results/user-error.ts';
import { wholeNumber } from './parse-number.ts';

export interface AddressFlags {
  token?: string;
  header: string[];
  cookie: string[];
  ca?: string;
}

export interface ServerFlags extends AddressFlags {
  document: string[];
  write?: boolean;
  joinEvery?: string;
  serverPid?: number;
  serverContainer?: string;
  metrics?: string;
  series: string[];
  yes?: boolean;
}

export function addAddressOptions(command: Command): Command {
  return command
    .option('--token <text>', 'what the library’s protocol asks of users who join, as {env:NAME} or {file:PATH}')
    .option('--header <text>', 'a header of each connection, "Name: value"; may be repeated', several, [])
    .option('--cookie <text>', 'a cookie of each connection, name=value; may be repeated', several, [])
    .option('--ca <file>', 'certificates (PEM) to trust instead of the system’s');
}

export function addServerOptions(command: Command): Command {
  return addAddressOptions(command)
    .option(
      '--document <name>',
      'an empty document that exists, for servers that make none; repeat it, one for each trial',
      several,
      [],
    )
    .option('--write', 'write into those documents even if they are not empty')
    .option('--join-every <time>', 'time between one user’s joining and the next’s (default: 100ms)')
    .option(
      '--server-pid <number>',
      'its process, if it runs on this machine: its CPU and memory are recorded',
      wholeNumber(1),
    )
    .option('--server-container <name>', 'its Docker container, if it runs on this machine: the same is recorded')
    .option('--metrics <url>', 'address of its CPU, memory and event-loop delay, as Prometheus text')
    .option('--series <name>', 'a series of --metrics to record too; may be repeated', several, [])
    .option(...YES_OPTION);
}

/** Of every command that may load a server that somebody else runs. */
export const YES_OPTION = [
  '-y, --yes',
  `confirm more than ${MOST_USERS} users on a server that somebody else runs`,
] as const;

/** Those that lead to a server, as they are written. */
export function writtenAddress({ token, header, cookie, ca }: AddressFlags): string[] {
  return [
    ...(token === undefined ? [] : ['--token', token]),
    ...header.flatMap((text) => ['--header', text]),
    ...cookie.flatMap((text) => ['--cookie', text]),
    ...(ca === undefined ? [] : ['--ca', ca]),
  ];
}

function several(value: string, before: string[]): string[] {
  return [...before, value];
}

/** @throws UserError (2) if a flag is given that this address has no use for, or a header without a value */
export function addressFrom(url: string, { token, header, cookie, ca }: AddressFlags) {
  if (ca !== undefined && /^ws:/i.test(url)) {
    throw new UserError(`--ca is for wss://, and nothing on the way to ${url} is encrypted; leave it out`);
  }
  const bare = header.find((text) => !/:\s*\S/.test(text));
  if (bare !== undefined) throw new UserError(`--header: "${bare}" is not valid; write a header as "Name: value"`);
  const cookies = cookie.length === 0 ? [] : [`Cookie: ${cookie.join('; ')}`];
  return { url, headers: [...header, ...cookies], token: token ?? null, ca: ca ?? null };
}

/** The flag of each property of a server, for what is said of it. */
const PARTS = {
  headers: '--header, --cookie',
  token: '--token',
  joinEvery: '--join-every',
  container: '--server-container',
  metrics: '--metrics',
  series: '--series',
};

/**
 * The server and its documents, as an experiment's file has them.
 *
 * @param of.from the flags or arguments that gave address and framework
 * @throws UserError (2) as `addressFrom`
 */
export function serverOverrides(
  { url, framework, from }: { url: string; framework: string; from: Record<'url' | 'framework', string> },
  flags: ServerFlags,
): Override[] {
  const { document, write = false, joinEvery, serverPid, serverContainer, metrics, series } = flags;
  if (series.length > 0 && metrics === undefined) {
    throw new UserError('--series names series of --metrics URL: add that, or leave --series out');
  }
  const server = {
    framework,
    ...addressFrom(url, flags),
    write,
    joinEvery,
    pid: serverPid ?? null,
    container: serverContainer ?? null,
    metrics: metrics ?? null,
    series,
  };
  const servers: Override = {
    flag: from.url,
    path: ['servers'],
    value: [server],
    parts: { ...PARTS, framework: from.framework },
  };
  return document.length === 0 ? [servers] : [servers, { flag: '--document', path: ['documents'], value: document }];
}

/** The address of a document at an attached server, with the secrets that its experiment only names. */
import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Attaching } from '../../editors/base/framework.ts';
import type { ForeignAddress } from '../../infra/network/line-target.ts';
import { readingProblem } from '../../results/file-problem.ts';
import { UserError } from '../../results/user-error.ts';
import { ADDRESS, type AttachedServer } from '../experiment/servers.ts';

/** As a connection needs it. Never written or printed: it may hold secrets. */
export interface DocumentAddress extends ForeignAddress {
  token: string | null;
  document: string;
  /** Its secrets that are long enough to be known in a text: a server may repeat them in what it says. */
  secrets: readonly string[];
}

type Written = Pick<AttachedServer, 'url' | 'headers' | 'token' | 'ca'>;

/** Shorter ones stand in words and numbers by chance. */
const SHORTEST_SECRET = 8;
/** A variable, in which processes of users get them, holds 128 KiB on Linux. */
const MOST_CERTIFICATES = 100_000;

/**
 * @param document the document's name
 * @throws UserError (2) naming the variable or file that lacks
 */
export function documentAddress(server: Written, document: string, { documentIn }: Attaching): DocumentAddress {
  const filled = addressIn(server.url);
  const url = filled.includes('{document}')
    ? filled.replaceAll('{document}', encodeURIComponent(document))
    : documentIn === 'path'
      ? behindPath(filled, document)
      : filled;
  return {
    url,
    headers: headersIn(server.headers),
    token: server.token === null ? null : withSecrets(server.token),
    ca: server.ca === null ? null : certificatesIn(server.ca),
    document,
    secrets: Object.values(secretsOf([{ ...server, ca: null }])).filter(({ length }) => length >= SHORTEST_SECRET),
  };
}

const OF_ADDRESS = "an attached server's address";

/** The secrets filled in. @throws UserError (2) if it is no address then */
function addressIn(written: string): string {
  const filled = withSecrets(written);
  const url = ADDRESS.test(written) && URL.canParse(filled) ? new URL(filled) : null;
  const hasLogin = url !== null && url.username + url.password !== '';
  if (url !== null && url.hash === '' && !hasLogin) return filled;
  const ofHash = url === null ? '' : ', for its "#": write %23, in a secret, too';
  const why = hasLogin ? ', for its name and password: write a header, "Authorization: Basic {env:NAME}"' : ofHash;
  throw new UserError(`"${written}" is no address of a WebSocket${why}; write one such as wss://example.org/path`);
}

/** Each name once, whatever its case: values of one name are a list, and cookies have one of their own (RFC 6265, section 5.4). */
function headersIn(written: readonly string[]): DocumentAddress['headers'] {
  const all = [...Map.groupBy(written.map(headerIn), ([name]) => name.toLowerCase())];
  return Object.fromEntries(
    all.map(([lower, same]) => [same[0]![0], same.map(([, value]) => value).join(lower === 'cookie' ? '; ' : ', ')]),
  );
}

/** @throws UserError (2) if it has no name, or its secret is none that a header can hold */
function headerIn(written: string): [name: string, value: string] {
  const [name = '', ...rest] = written.split(':');
  const value = withSecrets(rest.join(':').trim());
  try {
    validateHeaderName(name);
  } catch {
    throw new UserError(
      'a header stands there that has no name, or not one of letters, digits and "-"; write it as "Name: value"',
    );
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new UserError(`the header ${name} would hold a line end or another forbidden character; look at its secret`);
  }
  return [name, value];
}

/**
 * As y-websocket's client does: behind the path, before the query. Only what a browser escapes in a path is escaped, since its
 * servers take the name as it comes.
 */
function behindPath(address: string, document: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${document}`;
  return url.href;
}

/** A database's, as a connection needs it: never written or printed. Its secrets may hold any character. @throws UserError (2) as `documentAddress` does */
export function databaseAddress(url: string): string {
  return withSecrets(url, 'the address of a database', encodeURIComponent);
}

const SECRET = /\{(env|file):([^}]+)\}/g;

/** Names a file with the secrets of another machine, for the coordinator that runs elsewhere: each by the form that names it. */
export const SECRETS_VARIABLE = 'SCRIPTORIUM_SECRETS';

/**
 * All that servers only name, read here: the content of such a file.
 *
 * @param others addresses with secrets beside theirs
 * @throws UserError (2) as `documentAddress` does
 */
export function secretsOf(servers: readonly Written[], others: readonly string[] = []): Record<string, string> {
  const secrets: Record<string, string> = {};
  const keep = (text: string) => {
    for (const [named] of text.matchAll(SECRET)) secrets[named] = withSecrets(named);
  };
  others.forEach(keep);
  for (const { url, headers, token, ca } of servers) {
    keep([url, token ?? '', ...headers].join('\n'));
    if (ca !== null) secrets[fileNamed(ca)] = certificatesIn(ca);
  }
  return secrets;
}

function handedOver(): Readonly<Record<string, string>> {
  const path = process.env[SECRETS_VARIABLE];
  return path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'));
}

/** @param form the form in which each secret stands there */
function withSecrets(text: string, of = OF_ADDRESS, form = (secret: string) => secret): string {
  const handed = handedOver();
  return text.replaceAll(SECRET, (named, kind: string, name: string) =>
    form(handed[named] ?? (kind === 'env' ? variable(name, of) : readText(name, 'a secret').trim())),
  );
}

function fileNamed(path: string): string {
  return `{file:${path}}`;
}

function certificatesIn(path: string): string {
  const certificates = handedOver()[fileNamed(path)] ?? readText(path, 'the certificates of --ca');
  if (certificates.length <= MOST_CERTIFICATES) return certificates;
  throw new UserError(
    `the certificates of --ca: ${path} holds more than ${MOST_CERTIFICATES / 1000} kB; write a file with the server's authority alone`,
  );
}

function variable(name: string, of: string): string {
  // As of a file: a line's end that came with it would be an error in a header.
  const value = process.env[name]?.trim();
  if (value !== undefined && value !== '') return value;
  throw new UserError(`the environment variable ${name}, which ${of} names, is not set`);
}

function readText(path: string, what: string): string {
  const place = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    throw new UserError(`${what}: ${path} cannot be read: ${readingProblem(error)}`);
  }
}

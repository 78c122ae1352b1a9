/** The kinds of refusals of a server that somebody else runs, each with its signs and what to change. */
import type { Ending } from '../../infra/network/line-target.ts';

export const REFUSALS = {
  'rate limit': 'let users join farther apart (--join-every 5s), start fewer, or lift the limit for this address',
  permission: 'give a token, cookie or header that may write this document (--token, --cookie, --header)',
  'read-only':
    'give a token, cookie or header that may write (--token, --cookie, --header), or see in the server’s log why it takes none',
  'not let in':
    'give another --token; or let users join farther apart (--join-every 5s): Hocuspocus’ Throttle says this to the 16th connection of an address in a minute',
  'no such document': 'the server makes no documents on demand: make empty ones and name them with --document NAME',
  'too large': 'the server takes no message so large: begin with a shorter document, or raise its limit',
  'try again later':
    'the server is overloaded, or found a client too slow: let users join farther apart (--join-every 5s), start fewer here, or spread them over machines',
  'idle cut':
    'a proxy on the way closes silent connections: raise its time-out (nginx: proxy_read_timeout), or let every user type',
  certificate: 'give the authority that signed it (--ca FILE), or use the name that it is for',
  unavailable: 'the server, or a proxy before it, does not answer: see that it runs, and the address',
  'another protocol':
    'check that the path leads to the WebSocket, and write wss:// if the server has TLS, ws:// if it has none; ./scriptorium hello says who answers',
  closed: 'the server’s log may say why',
} as const;
type RefusalKind = keyof typeof REFUSALS;

/** Of a trial that ended because a server would not have a user, or took no edit of any: no failures of the framework's. */
export const SERVER_REFUSED = 'server-refused';
export const SERVER_READ_ONLY = 'server-read-only';

export interface Refusal {
  kind: RefusalKind;
  /** The part of a sentence after "the server": its words or deeds. */
  seen: string;
}

/** Of HTTP answers in place of a WebSocket; from 500 on the server is at fault. */
const STATUS_KINDS: Readonly<Record<number, RefusalKind>> = {
  401: 'permission',
  403: 'permission',
  404: 'no such document',
  408: 'try again later',
  410: 'no such document',
  413: 'too large',
  429: 'rate limit',
};

/** Of WebSocket close codes: RFC 6455, section 7.4, and IANA's registry. y/hub says 1013 to a client that reads too slowly, too. */
const CLOSE_KINDS: Readonly<Record<number, RefusalKind>> = {
  1008: 'rate limit',
  1009: 'too large',
  1013: 'try again later',
};
/** 4400 to 4499, as y/hub, Hocuspocus and the Loro protocol use them: the status codes of HTTP, and this. */
const AS_STATUS = 4000;
const [FIRST_PERMANENT, LAST_PERMANENT] = [4400, 4499];

/** A server that restarts, or a page that leaves: an end that a client comes back from. */
const ORDINARY_CODES = [1000, 1001, 1005, 1006, 1012];

/** Proxies cut after 60 s unless told otherwise; keys and answers are never so far apart. */
const IDLE_CUT_MS = 25_000;

/** Node’s codes of TLS. */
const CERTIFICATE_CODE = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|^UNABLE_TO/;
/** Of bytes that are no TLS, or no HTTP. */
const FOREIGN_BYTES_CODE = /^EPROTO$|^ERR_SSL|^HPE_/;

/** True for an end that says nothing against this user: its client may bring the connection back. */
export function isOrdinary(ending: Ending): boolean {
  if (ending.by === 'close') return ORDINARY_CODES.includes(ending.code);
  return ending.by === 'cut' && ending.quietMs < IDLE_CUT_MS;
}

/** As HTTP's Request Timeout: Hocuspocus closes a client so that sent nothing for a minute. A user who shows no cursor may. */
const SILENT_CODE = 4408;

/** True for the end of a client that only said nothing for a while. */
export function isForSilence(ending: Ending): boolean {
  return ending.by === 'close' && ending.code === SILENT_CODE;
}

/** An end as a refusal; an ordinary one is such only if the client does not come back from it. */
export function refusalOf(ending: Ending): Refusal {
  switch (ending.by) {
    case 'status':
      return { kind: kindOfStatus(ending.status), seen: `answered with HTTP ${ending.status}` };
    case 'close': {
      const { code, reason } = ending;
      const said = reason === '' ? '' : `, ${JSON.stringify(reason)}`;
      const isPermanent = code >= FIRST_PERMANENT && code <= LAST_PERMANENT;
      const kind = CLOSE_KINDS[code] ?? (isPermanent ? (STATUS_KINDS[code - AS_STATUS] ?? 'permission') : 'closed');
      return { kind, seen: `closed the connection with code ${code}${said}` };
    }
    case 'cut':
      if (isOrdinary(ending)) return { kind: 'closed', seen: 'or a proxy cut the connection' };
      return {
        kind: 'idle cut',
        seen: `or a proxy cut a connection that was silent for ${(ending.quietMs / 1000).toFixed(0)} s`,
      };
    case 'error':
      return { kind: kindOfError(ending.code), seen: `cannot be reached: ${oneLine(ending.message)}` };
  }
}

/** OpenSSL ends its messages with a place in its source, and a line's end. */
function oneLine(message: string): string {
  return message.replace(/:[^:\s]+\.c:\d+:\s*$/, '');
}

function kindOfStatus(status: number): RefusalKind {
  return STATUS_KINDS[status] ?? (status >= 500 ? 'unavailable' : 'another protocol');
}

function kindOfError(code: string): RefusalKind {
  if (CERTIFICATE_CODE.test(code)) return 'certificate';
  return FOREIGN_BYTES_CODE.test(code) ? 'another protocol' : 'unavailable';
}

/** A sentence with what to change. */
export function sayRefusal({ kind, seen }: Refusal): string {
  return `the server ${seen} (${kind}) → ${REFUSALS[kind]}`;
}

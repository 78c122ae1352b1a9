/**
 * The variables of this process that reach those that it starts. Frameworks, servers and recorders run packages of others, which have no
 * business with this account's keys: what is not named here stays here.
 */
import { resolve } from 'node:path';

/** Variables of the system, of Node and of a browser that a process may need; `*` ends the beginning of several. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE', 'LC_*'],
  // A child may be a program in another language, before which a process of Node stands.
  ...['LD_LIBRARY_PATH', 'LD_PRELOAD'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CI'],
  ...['NODE_OPTIONS', 'NODE_ENV', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'UV_THREADPOOL_SIZE'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_*', 'DBUS_SESSION_BUS_ADDRESS', 'FONTCONFIG_*'],
  // Where a task on AWS asks what it is; its keys, which it has none of, stand elsewhere.
  ...['SCRIPTORIUM_*', 'ECS_CONTAINER_METADATA_URI_V4'],
];

/** Of the project's own variables, those that hold a secret: whoever needs one is given it. */
const SECRETS = new Set([
  ...['SCRIPTORIUM_TOKEN', 'SCRIPTORIUM_TOKEN_FILE', 'SCRIPTORIUM_CONTROL_URL'],
  ...['SCRIPTORIUM_FOREIGN', 'SCRIPTORIUM_SECRETS', 'SCRIPTORIUM_SERVERS'],
]);

/** A person writes them as seen from the working folder; a child may have another one. */
const PATHS = new Set(['SCRIPTORIUM_CHROME', 'SCRIPTORIUM_CACHE', 'TMPDIR']);

const names = new Set(PASSED_ON.filter((name) => !name.endsWith('*')));
const beginnings = PASSED_ON.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

/** @returns variables of `own`, by default of this process, for one that runs others' code */
export function childEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isPassedOn = (name: string) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  const passedOn = Object.entries(own).filter(([name]) => isPassedOn(name) && !SECRETS.has(name));
  return Object.fromEntries(passedOn.map(([name, value]) => [name, value && PATHS.has(name) ? resolve(value) : value]));
}

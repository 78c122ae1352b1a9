/** `attach` and `hello`: load a server that somebody else runs, and ask one who it is. */
import { type Command, InvalidArgumentError } from 'commander';
import { countOf } from '../analysis/figures/figure-text.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { documentAddress } from '../harness/attached/address.ts';
import { freshName, type Hello, sayHello } from '../harness/attached/hello.ts';
import { loadExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, type Override, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { ADDRESS, writtenSecrets } from '../harness/experiment/servers.ts';
import { shellCommand } from '../results/foreign-text.ts';
import { UserError } from '../results/user-error.ts';
import { withItsMarkers } from './quick-command.ts';
import { addRunOptions, print, type RunFlags, runTyping, WIDE_OPTION } from './run-command.ts';

/** More than a server that is not ours is loaded with by mistake. */
const MOST_USERS = 100;

interface AddressFlags {
  token?: string;
  header: string[];
  cookie: string[];
  ca?: string;
}

interface AttachFlags extends RunFlags, AddressFlags {
  framework: string;
  document: string[];
  write?: boolean;
  joinEvery?: string;
  measure?: string;
  serverPid?: number;
  serverContainer?: string;
  metrics?: string;
  yes?: boolean;
}

export function addAttachCommand(program: Command): void {
  const attach = program
    .command('attach')
    .description('load a server that runs already, in fresh documents of its own')
    .argument('<url>', 'its address, ws:// or wss://; {document} in it stands for the document’s name')
    .requiredOption('--framework <name>', 'the framework whose protocol it speaks (hello tells)');
  addAddressOptions(attach)
    .option(
      '--document <name>',
      'an empty document that is there, for servers that make none; again for each trial',
      several,
      [],
    )
    .option('--write', 'write into those documents although they are not empty')
    .option('--join-every <time>', 'users join so far apart (default: 100ms)')
    .option('--server-pid <number>', 'its process on this machine: its CPU and memory are recorded', parsePid)
    .option('--server-container <name>', 'its Docker container on this machine: recorded alike')
    .option('--metrics <url>', 'where it tells CPU and memory as Prometheus text')
    .option('-y, --yes', `load it with more than ${MOST_USERS} users`);
  addRunOptions(addExperimentOptions(attach, { but: ['frameworks'] }))
    .option(...WIDE_OPTION)
    .action(async (url: string, flags: AttachFlags) => {
      const overrides: Override[] = [
        { flag: '--framework', path: ['frameworks'], value: [flags.framework] },
        { flag: '<url>', path: ['servers'], value: [serverFrom(url, flags)] },
        ...(flags.document.length > 0 ? [{ flag: '--document', path: ['documents'], value: flags.document }] : []),
        ...overridesFrom({ ...flags }),
      ];
      const loaded = await loadExperiment({ path: 'attach', overrides });
      refuseManyUsers(Math.max(...loaded.experiment.users), flags);
      // A length that is given is meant.
      const judged = flags.measure === undefined ? withItsMarkers(loaded, flags) : loaded;
      print(await runTyping(judged, flags), flags);
    });
}

export function addHelloCommand(program: Command): void {
  addAddressOptions(
    program
      .command('hello')
      .description('ask a server which protocol it speaks, and write nothing there')
      .argument('<url>', 'its address, ws:// or wss://')
      .option('--document <name>', 'the document to ask for (default: one that is not there)'),
  ).action(async (url: string, { document = freshName('hello'), ...flags }: AddressFlags & { document?: string }) => {
    const server = addressFrom(url, flags);
    const found = await helloAt(server, document);
    console.log(found === null ? sayUnknown(url) : await sayFound(url, found));
    if (found === null) process.exitCode = 3;
  });
}

function addAddressOptions(command: Command): Command {
  return command
    .option('--token <text>', 'admits users by the library’s own protocol; as {env:NAME} or {file:PATH}')
    .option('--header <text>', 'a header of each connection, "Name: value"; may stand again', several, [])
    .option('--cookie <text>', 'a cookie of each connection, name=value; may stand again', several, [])
    .option('--ca <file>', 'certificates (PEM) to trust instead of the system’s');
}

function several(value: string, before: string[]): string[] {
  return [...before, value];
}

function parsePid(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write the number of a process, such as 4242.');
}

function addressFrom(url: string, { token, header, cookie, ca }: AddressFlags) {
  const cookies = cookie.length === 0 ? [] : [`Cookie: ${cookie.join('; ')}`];
  return { url, headers: [...header, ...cookies], token: token ?? null, ca: ca ?? null };
}

/** As an experiment's file has it. */
function serverFrom(url: string, flags: AttachFlags) {
  const { framework, write = false, joinEvery, serverPid, serverContainer, metrics } = flags;
  return {
    framework,
    ...addressFrom(url, flags),
    write,
    joinEvery,
    pid: serverPid ?? null,
    container: serverContainer ?? null,
    metrics: metrics ?? null,
  };
}

function refuseManyUsers(users: number, { yes = false }: AttachFlags): void {
  if (yes || users <= MOST_USERS) return;
  throw new UserError(
    `${countOf(users, 'user')} are more than ${MOST_USERS}; say --yes if the server's owner agrees to such a load`,
    { exitCode: 2 },
  );
}

/** Asks for the document where it would be: behind the path, as most do, or in the messages alone. */
async function helloAt(server: ReturnType<typeof addressFrom>, document: string): Promise<Hello | null> {
  if (!ADDRESS.test(server.url)) {
    const text = `"${server.url}" is no address of a WebSocket; write one such as wss://example.org/path`;
    throw new UserError(text, { exitCode: 2 });
  }
  const [secret] = writtenSecrets(server);
  if (secret !== undefined) throw new UserError(secret.text, { exitCode: 2 });
  const ask = (documentIn: 'path' | 'messages') =>
    sayHello(documentAddress(server, document, { protocol: '', documentIn }));
  const behindPath = await ask('path').catch((error) => error as Error);
  if (behindPath !== null && !(behindPath instanceof Error)) return behindPath;
  return await ask('messages');
}

function sayUnknown(url: string): string {
  return `${url} takes WebSockets, but speaks none of the protocols that are known here, or waits for a client's first words.`;
}

async function sayFound(url: string, hello: Hello): Promise<string> {
  const { protocol, roundTripMs, tls, access, denied, isEmpty } = hello;
  const all = await discoverFrameworks();
  const able = all.filter(({ about }) => about.attaches?.protocol === protocol.name).map(({ name }) => name);
  const rights =
    denied !== null
      ? `It gives out no document with this token: ${denied}.`
      : access === null
        ? 'Its protocol does not say whether the document may be written.'
        : `The document may be ${access === 'read-only' ? 'read only' : 'read and written'}.`;
  const content = isEmpty === null ? '' : ` It is ${isEmpty ? 'empty' : 'not empty'}.`;
  const next =
    able.length === 0
      ? 'No framework of this project speaks that to servers of others yet.'
      : `Next: ${shellCommand(['./scriptorium', 'attach', url, '--framework', able[0]!, '--users', '4'])}`;
  return [
    `${url} speaks ${protocol.title}.`,
    `Round trip: ${Number.isNaN(roundTripMs) ? 'not answered' : `${roundTripMs.toFixed(1)} ms`}. TLS: ${tls ?? 'none'}.`,
    `${rights}${content}`,
    next,
  ].join('\n');
}

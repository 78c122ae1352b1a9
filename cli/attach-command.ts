/** `attach` and `hello`: load a server that somebody else runs, and ask one who it is. */
import type { Command } from 'commander';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { documentAddress } from '../harness/attached/address.ts';
import { freshName, type Hello, sayHello } from '../harness/attached/hello.ts';
import { REFUSALS } from '../harness/attached/refusals.ts';
import { loadExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, type Override, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { writtenSecrets } from '../harness/experiment/servers.ts';
import { plainText, shellCommand } from '../results/foreign-text.ts';
import { Unavailable, UserError } from '../results/user-error.ts';
import { withItsMarkers } from './quick-command.ts';
import { addRunOptions, print, type RunFlags, runTyping, WIDE_OPTION } from './run-command.ts';
import {
  type AddressFlags,
  addAddressOptions,
  addressFrom,
  addServerOptions,
  type ServerFlags,
  serverOverrides,
  writtenAddress,
} from './server-options.ts';

interface AttachFlags extends RunFlags, ServerFlags {
  framework: string;
  measure?: string;
}

/** Properties that the address settles: the framework, and its one server with what stands behind it. */
const SETTLED = ['frameworks', 'servers', 'stores'];

export function addAttachCommand(program: Command): void {
  const attach = program
    .command('attach')
    .description('load a server that runs already, in fresh documents')
    .argument('<url>', 'its address, ws:// or wss://; {document} in it stands for the document’s name')
    .requiredOption(
      '--framework <name>',
      'the framework whose protocol it speaks (`hello` says which), or the folder of your own',
    );
  addRunOptions(addExperimentOptions(addServerOptions(attach), { but: SETTLED }))
    .option(...WIDE_OPTION)
    .action(async (url: string, flags: AttachFlags) => {
      const { framework, write = false, document } = flags;
      if (write && document.length === 0) {
        throw new UserError('--write is about the documents of --document NAME: add that, or leave --write out');
      }
      const overrides: Override[] = [
        { flag: '--framework', path: ['frameworks'], value: [framework] },
        ...serverOverrides({ url, framework, from: { url: '<url>', framework: '--framework' } }, flags),
        ...overridesFrom({ ...flags }),
      ];
      const loaded = await loadExperiment({ path: 'attach', overrides });
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
    const unknown = `${url} takes WebSockets, but speaks none of the protocols that are known here, or waits for a client's first words.`;
    console.log(plainText(found === null ? unknown : await sayFound(url, found, flags)));
    if (found === null) process.exitCode = 3;
  });
}

/**
 * Asks for the document where it would be: behind the path, as most do, or in the messages alone.
 *
 * @throws UserError (3) with all refusals, since only one who knows the server knows which place is right
 */
async function helloAt(server: ReturnType<typeof addressFrom>, document: string): Promise<Hello | null> {
  const [secret] = writtenSecrets(server);
  if (secret !== undefined) throw new UserError(secret.text);
  const ask = (documentIn: 'path' | 'messages') =>
    sayHello(documentAddress(server, document, { protocol: '', documentIn })).catch((error: unknown) => {
      if (error instanceof Unavailable) return error;
      throw error;
    });
  const behindPath = await ask('path');
  if (behindPath !== null && !(behindPath instanceof Unavailable)) return behindPath;
  const itself = await ask('messages');
  if (itself !== null && !(itself instanceof Unavailable)) return itself;
  if (behindPath === null) return null;
  const refusals = new Set([behindPath.message, itself?.message ?? behindPath.message]);
  throw new Unavailable([...refusals].join('; without a document’s name behind the address, '));
}

async function sayFound(url: string, hello: Hello, flags: AddressFlags): Promise<string> {
  const { protocol, roundTripMs, tls, access, denied, isEmpty } = hello;
  const all = await discoverFrameworks();
  const able = all.filter(({ about }) => about.attaches?.protocol === protocol.name).map(({ name }) => name);
  const rights =
    denied !== null
      ? `It gives out no document with this token: ${denied}.`
      : access === null
        ? 'Its protocol does not say whether the document may be written.'
        : `The document may be ${access === 'read-only' ? 'read only' : 'read and written'}.`;
  const cannotWrite = denied !== null ? 'not let in' : access === 'read-only' ? 'read-only' : null;
  const content = isEmpty === null ? '' : ` It is ${isEmpty ? 'empty' : 'not empty'}.`;
  const attach = ['./scriptorium', 'attach', url, '--framework', able[0]!, '--users', '4', ...writtenAddress(flags)];
  const next =
    able.length === 0
      ? 'No framework of this project speaks that to servers of others yet.'
      : cannotWrite === null
        ? `Next: ${shellCommand(attach)}`
        : `Before users can type there: ${REFUSALS[cannotWrite]}.`;
  return [
    `${url} speaks ${protocol.title}.`,
    `Round trip: ${Number.isNaN(roundTripMs) ? 'not answered' : `${roundTripMs.toFixed(1)} ms`}. TLS: ${tls ?? 'none'}.`,
    `${rights}${content}`,
    next,
  ].join('\n');
}

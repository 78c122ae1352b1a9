/**
 * The entry of the coordinator's container, when Compose runs an experiment all by itself: makes the run's token, leaves
 * it for the other containers, and runs the command line as whoever owns the results folder.
 */
import { rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createToken } from '../channel/token.ts';
import { Child, nodeCommand } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';

const root = resolve(import.meta.dirname, '../..');
const tokenFile = process.env.SCRIPTORIUM_TOKEN_FILE;
if (tokenFile === undefined) throw new Error('SCRIPTORIUM_TOKEN_FILE must name the file to leave the token in');
const token = createToken();
// The volume is this run's own; users of other containers have other names here, so everyone in it may read.
await writeFile(tokenFile, token, { mode: 0o644 });

const { uid, gid } = await stat(join(root, 'results'));
const cli = new Child({
  command: nodeCommand('cli/main.ts', 'run', ...process.argv.slice(2), '--on', 'workers'),
  folder: root,
  // The owner of the results has no home in this container.
  environment: { ...childEnvironment(), SCRIPTORIUM_TOKEN: token, HOME: '/tmp' },
  account: { uid, gid },
  inTerminal: true,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => cli.process.kill(signal));
const { code } = await cli.ended;
await rm(tokenFile, { force: true });
process.exitCode = code ?? 1;

/** Whether this project's coordinator can steer the processes of another checkout, and read what they record. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../results/user-error.ts';

/** What both sides of a control connection must agree on. Compared as text: a comment's change is refused too. */
const PROTOCOL = ['harness/trial/protocol.ts', 'infra/channel/**/*.ts', 'results/formats/records.ts'];
/** What measures, beside what is measured. */
const MEASURING = ['harness/{users,server,probes}/**/*.ts', 'editors/base/**/*.{ts,html}', 'infra/network/**/*.ts'];

/** @throws UserError (2) which names the first file that differs */
export async function refuseOtherProtocol(own: string, other: string, named: string): Promise<void> {
  const [file] = await differing(own, other, PROTOCOL);
  if (file === undefined) return;
  throw new UserError(
    `${named} cannot be run in turns with this version, for its processes are steered, or record, in another way (${file} differs); run each by itself, and compare the two runs`,
    { exitCode: 2 },
  );
}

/** Files whose change may change figures though no framework has changed. */
export function differingMeasures(own: string, other: string): Promise<string[]> {
  return differing(own, other, MEASURING);
}

async function differing(own: string, other: string, patterns: readonly string[]): Promise<string[]> {
  const [ours, theirs] = await Promise.all([filesOf(own, patterns), filesOf(other, patterns)]);
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return names.filter((name) => ours.get(name) !== theirs.get(name));
}

async function filesOf(root: string, patterns: readonly string[]): Promise<Map<string, string>> {
  const names = await Array.fromAsync(glob([...patterns], { cwd: root }));
  const sources = names.filter((name) => !/\.(test|bench)\.ts$/.test(name));
  return new Map(
    await Promise.all(sources.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
  );
}

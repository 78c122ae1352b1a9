/** `new-framework`: a framework of one's own to begin with. */
import { type Command, Option } from 'commander';
import { makeFramework } from '../new-framework/make-framework.ts';
import { KINDS, type Kind } from '../new-framework/template.ts';

/** In the order in which they are explained. */
const EXPLAINED: Readonly<Record<Kind, string>> = {
  relayed: 'its messages only have to be passed on: a relay of the project does that',
  'own-server': 'it has a server that does more, and a client for it',
};

export function addNewFrameworkCommand(program: Command): void {
  const kinds = KINDS.map((kind) => `  ${kind.padEnd(12)}${EXPLAINED[kind]}`).join('\n');
  program
    .command('new-framework')
    .description('make the two folders of a framework of your own, which work at once, on a stand-in for the library')
    .argument('<name>', 'such as my-framework: a letter, then letters, digits and hyphens')
    .addOption(new Option('--kind <kind>', 'how its users reach each other').choices(KINDS).default('relayed'))
    .addHelpText('after', `\nKinds:\n${kinds}`)
    .action(async (name: string, { kind }: { kind: Kind }) => {
      console.log(describe(name, kind, await makeFramework({ name, kind })));
    });
}

function describe(name: string, kind: Kind, paths: readonly string[]): string {
  return `Made ${name} (${kind}):
${paths.map((path) => `  ${path}`).join('\n')}

It works as it is, on a stand-in for the library:
  ./scriptorium check ${name}
  ./scriptorium run harness/experiments/smoke.yaml --frameworks ${name}

What to write in its place is marked; docs/adding-a-framework.md says the steps:
  grep -rn 'TO WRITE' editors/${name} servers/${name}`;
}

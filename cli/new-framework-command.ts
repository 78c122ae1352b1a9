/** `new-framework`: a framework of one's own to begin with. */
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { makeFramework, makeFrameworkOutside } from '../frameworks/scaffold/make-framework.ts';
import { KINDS, type Kind } from '../frameworks/scaffold/template.ts';
import { LAUNCHER } from '../infra/project.ts';

/** In the order in which they are explained. */
const EXPLAINED: Readonly<Record<Kind, string>> = {
  relayed: 'its messages only have to be passed on: a relay of the project does that',
  'own-server': 'it has a server that does more, and a client for it',
};

export function addNewFrameworkCommand(program: Command): void {
  const kinds = KINDS.map((kind) => `  ${kind.padEnd(12)}${EXPLAINED[kind]}`).join('\n');
  program
    .command('new-framework')
    .description('make a framework of your own; it works at once, with Yjs in place of your library')
    .argument(
      '<name>',
      'a letter, then letters, digits and hyphens: my-framework makes two folders in the project, ./my-framework one folder outside',
    )
    .addOption(new Option('--kind <kind>', 'how its users reach each other').choices(KINDS).default('relayed'))
    .addHelpText('after', `\nKinds:\n${kinds}`)
    .action(async (name: string, { kind }: { kind: Kind }) => {
      const isOutside = name.includes('/');
      const files = isOutside
        ? (await makeFrameworkOutside({ folder: resolve(name), kind })).map((path) => `${name}/${path}`)
        : await makeFramework({ name, kind });
      console.log(describe({ kind, name, files, isOutside }));
    });
}

function describe(made: { kind: Kind; name: string; files: readonly string[]; isOutside: boolean }): string {
  const { kind, name, files, isOutside } = made;
  const places = isOutside ? name : `editors/${name} servers/${name}`;
  const page = isOutside ? 'your-library.md' : 'project/adding-a-framework.md';
  return `Made ${basename(name)} (${kind}):
${files.map((path) => `  ${path}`).join('\n')}

It works as it is, on Yjs in the place of your library:
  ${LAUNCHER} check ${name}
  ${LAUNCHER} run smoke --frameworks ${name}

What to write in its place is marked; docs/${page} says the steps:
  grep -rn 'TO WRITE' ${places}`;
}

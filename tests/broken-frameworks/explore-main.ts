/** The process that plays worlds of a broken framework, or of a mutant, by its name. */
import { registerHooks } from 'node:module';
import { createVirtualClock, replaceGlobals } from '../../infra/virtual/clock.ts';
import type { BrokenFramework } from './broken-framework.ts';
import { MUTANTS } from './mutants.ts';

replaceGlobals(createVirtualClock(), 0);
const { answerWorlds } = await import('../../frameworks/explore/world-process.ts');

answerWorlds(async ({ name }) => {
  const mutant = MUTANTS.find((each) => each.name === name);
  if (mutant === undefined) return brokenOf(name);
  mutate(mutant);
  const { client } = await import(`../../editors/${mutant.framework}/client.ts`);
  const { server } = await import(`../../servers/${mutant.framework}/server.ts`);
  return { client: () => client, server };
});

async function brokenOf(name: string): Promise<BrokenFramework> {
  const all: Record<string, BrokenFramework | (() => BrokenFramework)> = {
    ...(await import('./broken-framework.ts')),
    ...(await import('./at-the-client.ts')),
    ...(await import('./at-the-server.ts')),
    ...(await import('./past-the-process.ts')),
    forgetsWhoLeft: { ...(await import('./broken-framework.ts')).honest, ...(await import('./forgetful-server.ts')) },
  } as never;
  const broken = all[name]!;
  return typeof broken === 'function' ? broken() : broken;
}

function mutate({ name, file, from, to }: (typeof MUTANTS)[number]): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const source = String(loaded.source);
      if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold its place once`);
      return { ...loaded, source: source.replace(from, () => to) };
    },
  });
}

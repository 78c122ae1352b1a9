/** Descriptions of all engines, by asking a document of each: `npm run docs` keeps them, so that no list loads the engines. */
import type { Engine, Observed } from '../engines/engine.ts';
import { COMMON_START } from '../engines/identity.ts';
import { loadEngine, ownEngineNames } from '../engines/load.ts';
import type { KeptEngine } from './engines.ts';

/** Those of this project in JavaScript, in alphabetical order. Some engines' WebAssembly keeps the process. */
export async function describeAll(): Promise<KeptEngine[]> {
  return Promise.all((await ownEngineNames()).map(async (name) => describe(name, await loadEngine(name))));
}

/** Asks one document of the engine. */
export async function describe(name: string, engine: Engine): Promise<KeptEngine> {
  const document = await engine.open({ identity: COMMON_START, updates: true });
  const observes: Observed[] = ['edits'];
  if (document.takeUpdate !== undefined) observes.unshift('updates');
  if (document.together !== undefined) observes.push('once');
  const { merges = true, ...about } = engine.about;
  const encodings = (document.save?.() ?? []).map(({ name, history }) => ({ name, history }));
  return {
    ...{ name, ...about, observes, encodings },
    ...{ loads: engine.load !== undefined, merges: document.receive !== undefined && merges },
  };
}

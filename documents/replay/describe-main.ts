/** `node describe-main.ts`: prints what every engine is and offers, found by asking a document of each. */
import type { Observed } from '../engines/engine.ts';
import { COMMON_START } from '../engines/identity.ts';
import { engineNames, engineVersion, loadEngine } from '../engines/load.ts';
import type { DescribedEngine } from './engines.ts';

const described = await Promise.all(
  (await engineNames()).map(async (name): Promise<DescribedEngine> => {
    const engine = await loadEngine(name);
    const document = await engine.open({ identity: COMMON_START, updates: true });
    const observes: Observed[] = ['edits'];
    if (document.takeUpdate !== undefined) observes.unshift('updates');
    if (document.together !== undefined) observes.push('once');
    const { algorithm, licence, kind, prefix } = engine.about;
    const encodings = (document.save?.() ?? []).map(({ name, history }) => ({ name, history }));
    const loads = engine.load !== undefined;
    const merges = document.receive !== undefined && engine.about.merges !== false;
    const version = await engineVersion(name, engine);
    return { name, version, algorithm, licence, kind, prefix, observes, encodings, loads, merges, isNative: false };
  }),
);
console.log(JSON.stringify(described));
// Some engines' WebAssembly keeps the process.
process.exit();

/** `node describe-main.ts`: prints what each engine from outside is and offers, found by asking a document of each. */
import { loadEngine, outsideEngineNames, outsideVersion } from '../engines/load.ts';
import { describe } from './describe.ts';
import type { DescribedEngine } from './engines.ts';

const described = outsideEngineNames().map(async (name): Promise<DescribedEngine> => {
  const engine = await loadEngine(name);
  const version = await outsideVersion(name, engine);
  // Its packages are its own.
  return { ...(await describe(name, engine)), package: null, version, isNative: false };
});
console.log(JSON.stringify(await Promise.all(described)));
// Some engines' WebAssembly keeps the process.
process.exit();

/** `node describe-main.ts`: prints what each engine from outside is and offers, found by asking a document of each. */
import { versionFor } from '../../frameworks/packages/installed.ts';
import { loadEngine, outsideEngine, outsideEngineNames } from '../engines/load.ts';
import { describe } from './describe.ts';
import type { DescribedEngine } from './engines.ts';

const described = outsideEngineNames().map(async (name): Promise<DescribedEngine> => {
  const engine = await loadEngine(name);
  // Of its installed package; without one, that of the package.json above the code.
  const version = versionFor(outsideEngine(name)!, engine.about.package);
  if (version === null)
    throw new Error(`the package of the engine "${name}" is not installed: ${engine.about.package}`);
  // Its packages are its own.
  return { ...(await describe(name, engine)), package: null, version, isNative: false };
});
console.log(JSON.stringify(await Promise.all(described)));
// Some engines' WebAssembly keeps the process.
process.exit();

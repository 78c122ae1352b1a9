/**
 * Names of frameworks in an experiment as people write them, brought to those of the plan before anything is validated. They may
 * be of other versions or from outside: these are let in and installed.
 */
import { dirname } from 'node:path';
import { isObject } from '../../analysis/figures/nested.ts';
import { admit, admitAll } from '../../frameworks/admit.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { byName, type Framework, type Frameworks, usable } from '../../frameworks/framework.ts';
import type { Override } from './experiment-options.ts';

interface Written {
  /** The content of the file. */
  input: unknown;
  overrides: readonly Override[];
}

interface AdmitOptions {
  /** The experiment file: what stands there is relative to its folder, what flags say to the current one. */
  path: string;
  /** Gets a line before something is installed. */
  say: (text: string) => void;
  /** True: nothing is installed. */
  isDry?: boolean;
}

/**
 * @returns the same with the names of frameworks in the place of what was written, and all that there are to name
 * @throws UserError (exit code 2, 3) if one of them cannot be run
 */
export async function nameFrameworks(
  { input, overrides }: Written,
  { path, ...ready }: AdmitOptions,
): Promise<Written & { frameworks: Framework[] }> {
  const frameworks = await discoverFrameworks();
  const named = async (written: unknown, from: string): Promise<unknown> => {
    const found = typeof written === 'string' ? await admit(written, { from, ...ready }) : null;
    if (found !== null && !frameworks.some(({ name }) => name === found.name)) frameworks.push(found);
    return found?.name ?? written;
  };
  const namedIn = async (server: unknown, from: string) =>
    isObject(server) ? { ...server, framework: await named(server.framework, from) } : server;
  const renamed = { overrides: [...overrides], input };
  for (const [property, rename] of [
    ['frameworks', named],
    ['servers', namedIn],
  ] as const) {
    const renameAll = async (written: unknown, from: string) =>
      Array.isArray(written) ? Array.fromAsync(written, (each) => rename(each, from)) : rename(written, from);
    // The last one wins.
    const at = overrides.findLastIndex(({ path: [first, ...rest] }) => first === property && rest.length === 0);
    if (at !== -1) {
      const override = overrides[at]!;
      renamed.overrides[at] = { ...override, value: await renameAll(override.value, process.cwd()) };
      continue;
    }
    const written = isObject(renamed.input) ? renamed.input[property] : undefined;
    if (written === undefined || written === null) continue;
    renamed.input = { ...(renamed.input as object), [property]: await renameAll(written, dirname(path)) };
  }
  return { ...renamed, frameworks };
}

/**
 * The frameworks of an experiment. Those of the project may be its defaults, which nobody has let in.
 *
 * @param options.frameworks all that there are to name
 * @throws UserError (exit code 2, 3) if one cannot be run; of a dry one, its `problem` says why
 */
export async function frameworksOf(
  names: readonly string[],
  { frameworks, path, ...ready }: AdmitOptions & { frameworks: readonly Framework[] },
): Promise<Frameworks> {
  const found = await Array.fromAsync(names, async (name) => {
    const named = frameworks.find((framework) => framework.name === name);
    if (named !== undefined && named.kind !== 'project') return [named];
    return admitAll([name], { from: dirname(path), ...ready });
  });
  if (!ready.isDry) found.flat().forEach(usable);
  return byName(found.flat());
}

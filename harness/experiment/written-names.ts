/**
 * Names of frameworks in an experiment as people write them, brought to those of the plan before anything is validated. They may
 * be of other versions or from outside: these are let in and installed.
 */
import { dirname } from 'node:path';
import { admit } from '../../frameworks/admit.ts';
import { discoverFrameworks, projectNames } from '../../frameworks/discover.ts';
import type { Override } from './experiment-options.ts';
import type { KnownFramework } from './rules/rule.ts';

const PROPERTY = 'frameworks';

interface Written {
  /** The content of the file. */
  input: unknown;
  overrides: readonly Override[];
}

/**
 * @param path  the experiment file: what stands there is relative to its folder, what flags say to the current one
 * @param ready.say   gets a line before something is installed
 * @param ready.isDry true: nothing is installed
 * @returns the same with the names of frameworks in the place of what was written, and all that there are to name
 * @throws UserError (exit code 2, 3) if one of them cannot be run
 */
export async function nameFrameworks(
  { input, overrides }: Written,
  { path, ...ready }: { path: string; say: (text: string) => void; isDry?: boolean },
): Promise<Written & { frameworks: KnownFramework[] }> {
  const frameworks: KnownFramework[] = await discoverFrameworks();
  const named = async (written: unknown, from: string) => {
    const names: unknown[] = [];
    for (const each of [written].flat()) {
      const found = typeof each === 'string' ? await admit(each, { from, ...ready }) : null;
      if (found !== null && !frameworks.some(({ name }) => name === found.name)) frameworks.push(found);
      names.push(found?.name ?? each);
    }
    return Array.isArray(written) ? names : names[0];
  };
  const isOfFrameworks = ({ path: [first, ...rest] }: Override) => first === PROPERTY && rest.length === 0;
  if (overrides.some(isOfFrameworks)) {
    const flags = overrides.map(async (override) =>
      isOfFrameworks(override) ? { ...override, value: await named(override.value, process.cwd()) } : override,
    );
    return { input, overrides: await Promise.all(flags), frameworks };
  }
  const written = isRecord(input) ? input[PROPERTY] : undefined;
  if (written === undefined || written === null) return { input, overrides, frameworks };
  return { input: { ...(input as object), [PROPERTY]: await named(written, dirname(path)) }, overrides, frameworks };
}

/** Lets in frameworks of the project that an experiment has without naming them: those of its defaults. */
export async function letInDefaults(
  names: readonly string[],
  { path, ...ready }: { path: string; say: (text: string) => void; isDry?: boolean },
): Promise<void> {
  const ofProject = await projectNames();
  for (const name of names) if (ofProject.includes(name)) await admit(name, { from: dirname(path), ...ready });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

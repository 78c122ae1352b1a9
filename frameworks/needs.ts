/** Needs of frameworks that npm does not bring: finding them, and installing them before anything starts. */
import { PROJECT_ROOT } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import { describePython, findPython, hasPackages, readyPackages } from '../servers/python-packages.ts';
import { baseOf } from './discover.ts';
import type { Framework } from './framework.ts';

/** A framework's need, and how it stands with it. */
export interface NeedState {
  framework: string;
  /** Such as `Python 3.10 or newer`. */
  need: string;
  /** The version or program that was found. */
  seen: string;
  /** Why it cannot be met, and what to do; null if it is met, or will be when the framework is first used. */
  problem: string | null;
}

type Named = Pick<Framework, 'name' | 'about'>;

/** The state of each need of these frameworks. */
export async function needStates(frameworks: readonly Named[]): Promise<NeedState[]> {
  const states = frameworks.map(async ({ name, about }): Promise<NeedState[]> => {
    if (about.needs === undefined) return [];
    const least = about.needs.python;
    const state = { framework: name, need: `Python ${least} or newer`, problem: null };
    if (await hasPackages(baseOf(name))) {
      const { python } = (await describePython(baseOf(name)))!;
      return [{ ...state, seen: `${python} is here, and its packages are installed` }];
    }
    const found = await findPython(least);
    if ('problem' in found) return [{ ...state, seen: 'not here', problem: found.problem }];
    return [{ ...state, seen: `${found.version} is here, and its packages are installed when it is first used` }];
  });
  return (await Promise.all(states)).flat();
}

/**
 * Sees to it that all that these frameworks need is there, where their processes run on this machine; installs it where it
 * is not.
 *
 * @param options.root the project's folder
 * @param options.say  gets a sentence where something is installed
 * @throws UserError (exit code 3) if that cannot be; the signal's reason
 */
export async function readyNeeds(options: {
  frameworks: readonly Named[];
  root?: string;
  say: (text: string) => void;
  signal?: AbortSignal;
}): Promise<void> {
  const { frameworks, root = PROJECT_ROOT, say, signal } = options;
  for (const { name, about } of frameworks) {
    if (about.needs === undefined) continue;
    await readyPackages({ framework: baseOf(name), least: about.needs.python, root, say, signal });
  }
}

/**
 * Frameworks that can be used here, if nobody named them. For each other one, `say` gets a sentence.
 *
 * @throws the signal's reason
 */
export async function withNeedsMet<Framework extends Named>(
  frameworks: readonly Framework[],
  options: { say: (text: string) => void; signal?: AbortSignal },
): Promise<Framework[]> {
  const usable: Framework[] = [];
  for (const framework of frameworks) {
    try {
      await readyNeeds({ ...options, frameworks: [framework] });
      usable.push(framework);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      options.say(`${framework.name} is left out: ${error.message}`);
    }
  }
  return usable;
}

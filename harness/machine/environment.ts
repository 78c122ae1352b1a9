/** A run's environment: its code and all that a reader must know to judge its figures, or to repeat them. */
import { cpus, release, totalmem, type } from 'node:os';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { coloursApart } from '../../frameworks/colour.ts';
import { baseOf } from '../../frameworks/discover.ts';
import { type Framework, type Frameworks, versionToday } from '../../frameworks/framework.ts';
import { readLock } from '../../frameworks/imports.ts';
import { MODES } from '../../frameworks/modes.ts';
import { type Code, codeOf } from '../../infra/code.ts';
import { chromeVersion, findChrome } from '../../infra/local/chrome.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { describePython } from '../../servers/python-packages.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { limitsByMode } from '../experiment/plan.ts';

/** Facts of every run. */
export interface MachineEnvironment extends Code {
  scriptorium: string;
  node: string;
  os: string;
  cpu: string;
  cores: number;
  memoryMiB: number;
  /** Every package that the project itself asks for, with the version that the lock file gives it. */
  packages: Record<string, string>;
}

/** The content of `environment.json`. */
export interface Environment extends MachineEnvironment {
  /** Null if no user has one. */
  chrome: string | null;
  fleet: string;
  /** Limits that the fleet sets the server and each process of users, by mode; null if it sets none. */
  limits: Record<string, unknown> | null;
  /**
   * Those of the experiment: which version is measured, what its server does for it, the colour that charts give it, if it is the
   * baseline of others' cost, and what it needs that npm does not bring, as it is installed.
   */
  frameworks: Record<
    string,
    { version: string; needs?: unknown } & Pick<FrameworkAbout, 'tier' | 'colour' | 'baseline'>
  >;
}

/** @param project the folder of the project whose processes run */
export async function describeMachine(project: string = PROJECT_ROOT): Promise<MachineEnvironment> {
  const [lock, code] = await Promise.all([readLock(project), codeOf(project)]);
  const root = lock.packages['']!;
  const names = Object.keys({ ...root.dependencies, ...root.devDependencies }).sort();
  const cores = cpus();
  return {
    scriptorium: root.version!,
    ...code,
    node: process.version,
    os: `${type()} ${release()}`,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    packages: Object.fromEntries(
      names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version ?? 'missing']),
    ),
  };
}

/**
 * @param options.frameworks the experiment's
 * @param options.chrome     the version of the users' Chrome; null: this machine's
 * @param options.project    the folder of the project whose processes run
 */
export async function describeEnvironment(
  experiment: Experiment,
  options: { frameworks: Frameworks; chrome: string | null; project?: string },
): Promise<Environment> {
  const { frameworks, chrome, project = PROJECT_ROOT } = options;
  const needsChrome = experiment.modes.some((mode) => MODES[mode].needsChrome);
  const [{ packages, ...machine }, browser, described] = await Promise.all([
    describeMachine(project),
    needsChrome ? (chrome ?? findChrome().then((path) => chromeVersion(path))) : null,
    describeFrameworks([...frameworks.values()], project),
  ]);
  return {
    ...machine,
    chrome: browser,
    fleet: experiment.fleet.on,
    limits: limitsByMode(experiment),
    frameworks: described,
    packages,
  };
}

async function describeFrameworks(
  frameworks: readonly Framework[],
  project: string,
): Promise<Environment['frameworks']> {
  const colours = coloursApart(frameworks.map(({ name, about: { colour } }) => ({ name, colour })));
  const described = frameworks.map(async (framework) => {
    const { name, about } = framework;
    const { tier, colour, baseline, needs } = about;
    const version = versionToday(framework);
    const needed = needs !== undefined && { needs: await describePython(baseOf(name), project) };
    return [name, { version, tier, colour: colours.get(name) ?? colour, baseline, ...needed }];
  });
  return Object.fromEntries(await Promise.all(described));
}

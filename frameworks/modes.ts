/** The modes: what a user edits in. A row here and its driver (harness/users) are a mode; whatever lists modes reads this. */
import type { FrameworkAbout } from '../editors/base/framework.ts';
import type { PageOptions } from '../editors/base/page/main.ts';

export interface ModeRow {
  description: string;
  /** The driver of the users' actions: a folder of harness/users with a `drivers.ts`. */
  driver: string;
  needsChrome: boolean;
  /** The editor that the user's page shows; null: there is no page. */
  screen: PageOptions['screen'] | null;
  /** True if the user sees the document: a service's own editor always shows it. */
  renders: boolean;
  /**
   * The shared resource of one process's users. A Chrome: the fleet knows how many users it carries. A core: all of their
   * work is on the process's one thread.
   */
  processPer: 'chrome' | 'core';
  /**
   * The cost of a user: Yjs, 6 keys a second. Above `usersPerCore` a machine of two cores is more than 60 % busy, so that typing
   * waits for it (BUSY_MACHINE_PERCENT). Each user takes in the edits of all, so larger machines carry fewer a core. Rough, and
   * only good for a warning.
   */
  userCost: { memoryMiB: number; usersPerCore: number };
  /** The limits of a user's container: the Collabs paper's (Weidner et al. 2023, section 7.1). */
  userLimits: { cpus: number; memoryMiB: number };
}

/** A page in a Chrome that users share. */
const IN_CHROME = { driver: 'chrome', needsChrome: true, processPer: 'chrome' } as const;

const ROWS = {
  optquill: {
    description: 'Quill in Chrome; edits received are applied in batches',
    ...IN_CHROME,
    screen: 'quill',
    renders: true,
    // On two cores 4 users took 33 % of the machine and 8 took 78 % (results/measured, 2026-11-22-compare).
    userCost: { memoryMiB: 100, usersPerCore: 3 },
    userLimits: { cpus: 1, memoryMiB: 2048 },
  },
  noquill: {
    description: 'an editor that renders nothing, in Chrome',
    ...IN_CHROME,
    screen: 'noquill',
    renders: false,
    // 4 users took 14 %, 8 took 29 % (2026-11-23T0025-compare): 3.1 % a user, and 0.06 % for each two.
    userCost: { memoryMiB: 60, usersPerCore: 7 },
    userLimits: { cpus: 0.5, memoryMiB: 1024 },
  },
  node: {
    description: 'the same editor, without a browser: in Node, where the users of a process share a core',
    driver: 'node',
    needsChrome: false,
    screen: null,
    renders: false,
    processPer: 'core',
    // From about 56 on, all cores are busy (`max yjs --mode node`).
    userCost: { memoryMiB: 12, usersPerCore: 56 },
    // The paper has none; as much as without rendering.
    userLimits: { cpus: 0.5, memoryMiB: 1024 },
  },
} as const satisfies Record<string, ModeRow>;

export type Mode = keyof typeof ROWS;
export const MODES: Readonly<Record<Mode, ModeRow>> = ROWS;
export const MODE_NAMES = Object.keys(ROWS) as Mode[];

type Editing = Pick<FrameworkAbout, 'lacksModes' | 'hosted'>;

/** Why a framework's users cannot edit in a mode, in a sentence; null if they can. */
export function whyNotIn(mode: Mode, { lacksModes, hosted }: Editing): string | null {
  const why = lacksModes?.[mode];
  if (why !== undefined) return why;
  if (hosted === undefined || MODES[mode].renders) return null;
  return 'The editor is the service’s own, which cannot be had without rendering.';
}

/** The modes that a framework's users can edit in. */
export function modesOf(about: Editing): Mode[] {
  return MODE_NAMES.filter((mode) => whyNotIn(mode, about) === null);
}

/** The modes that a framework's users cannot edit in, each with the reason. */
export function lackedModes(about: Editing): { mode: Mode; why: string }[] {
  return MODE_NAMES.flatMap((mode) => {
    const why = whyNotIn(mode, about);
    return why === null ? [] : [{ mode, why }];
  });
}

export function hasPage(mode: Mode): boolean {
  return MODES[mode].screen !== null;
}

/** The modes whose editors the conformance suite can look into. */
export const MODES_WITH_PAGE = MODE_NAMES.filter(hasPage);

/**
 * The editor that a user's page shows.
 *
 * @throws RangeError if the mode has no page
 */
export function screenOf(mode: Mode): PageOptions['screen'] {
  const { screen } = MODES[mode];
  if (screen === null) throw new RangeError(`${mode} has no page`);
  return screen;
}

/**
 * The editor drivers of one process's users. Each kind is a folder here whose `drivers.ts` exports `openDrivers`; a mode's
 * row names it, unless the framework has one of its own.
 */

import type { Framework } from '../../frameworks/framework.ts';
import { MODES, type ModeRow } from '../../frameworks/modes.ts';
import type { EditorDriver } from './editor-driver.ts';

/** Resources that the drivers in one process share, such as a Chrome. */
export interface Drivers {
  /** The driver of one more user. */
  create(): EditorDriver;
  /** The version of the Chrome in which the editors run; null: there is none. */
  readonly chrome: string | null;
  /** The process in which the editors run, with all its descendants: Chrome's, or this one. */
  readonly editorsPid: number;
  /** Ends what they share, once every user has left. */
  close(): Promise<void>;
}

export interface DriversOptions {
  framework: Framework;
  /** The coordinator's control address. */
  controlUrl: string;
  /** Open real windows to watch. */
  show: boolean;
  /** The users are load for others: what they feel and cost is not measured. */
  isLoad: boolean;
}

/** @throws Error with a sentence if they do not start */
export type OpenDrivers = (options: DriversOptions) => Promise<Drivers>;

/**
 * Finds what opens the drivers for a framework's users in a mode.
 *
 * @throws Error if there is no such mode
 */
export async function findDrivers({ framework, mode }: { framework: Framework; mode: string }): Promise<OpenDrivers> {
  const row = Object.entries<ModeRow>(MODES).find(([name]) => name === mode)?.[1];
  if (row === undefined) throw new Error(`there is no mode "${mode}"`);
  const kind = framework.about.hosted?.driver ?? row.driver;
  const { openDrivers }: { openDrivers: OpenDrivers } = await import(`./${kind}/drivers.ts`);
  return openDrivers;
}

/** Stores that are programs of their own, and what differs between them. */
import type { ChildOptions } from '../process/child.ts';

export type ProgramName = 'postgres' | 'redis';

export const LOOPBACK = '127.0.0.1';

/** A program over a folder that is ready for it. */
export interface Kind {
  /** Starts it in the foreground, at this port of the loopback interface. */
  command(port: number): Pick<ChildOptions, 'command' | 'input' | 'account'>;
  isReady(port: number, pid: number): Promise<boolean>;
  /** The address of its database, password included. */
  url(port: number): string;
  /** Ends it in order, whoever is still connected. */
  endSignal: NodeJS.Signals;
  /** Command that removes what it leaves on the machine, beside its folder, if it is killed now; null: nothing. */
  remains?(): Promise<readonly string[] | null>;
}

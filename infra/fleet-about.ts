/** What a fleet declares of itself, as data: whoever must know what it can do asks these, never for its name. */
import type * as z from 'zod';

export interface FleetAbout {
  /** Where its processes run: for the experiment file's description. */
  description: string;
  /** Whether each process gets a container of its own, with limits of CPU and memory. */
  limits: boolean;
  /** Users that share one process, and so one browser, where nobody says another number. */
  usersPerProcess: number;
  /** Whether its processes share the cores of this machine: without a browser, there is then one process for each. */
  sharesCores: boolean;
  /**
   * Whether it has regions that are really apart. Then the server needs one, and users in another have the real distance
   * instead of an artificial delay.
   */
  regions: boolean;
  /** Whether a run that is resumed can be asked to have the same machine again. */
  sameMachine: boolean;
  /** Whether users can edit documents that are another's service, with no server to start here. */
  hostedDocuments: boolean;
  /** Whether it starts processes of another checkout of the project too. */
  otherVersions: boolean;
  /**
   * Whether what frameworks take beside the project (folders from outside, packages on demand, Python) comes to where its
   * processes run.
   */
  bringsFrameworks: boolean;
  /** Whether a crowd can be played there. */
  crowds: boolean;
  /** What only this fleet needs to be told: properties of the experiment file under `fleet.<name>`. */
  options: Readonly<Record<string, FleetOption>>;
}

export interface FleetOption {
  description: string;
  /** What to write; completes "write …". The schema's errors say the same. */
  forms: string;
  schema: z.ZodType;
  default: unknown;
}

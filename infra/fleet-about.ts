/** The properties that a fleet declares, as data: code that depends on a fleet's abilities asks these, never its name. */
import type * as z from 'zod';

export interface FleetAbout {
  /** The place of its processes, for the experiment file's description. */
  description: string;
  /** True: each process gets a container of its own, with limits of CPU and memory. */
  limits: boolean;
  /** Users that share one process, and so one browser, if nobody says another number. */
  usersPerProcess: number;
  /** True: its processes share the cores of this machine. Without a browser, there is then one process for each core. */
  sharesCores: boolean;
  /**
   * True: the fleet has regions that are really apart. Then the server needs one, and users in another have the real distance
   * instead of an artificial delay.
   */
  regions: boolean;
  /** True: a resumed run can be asked to have the same machine again. */
  sameMachine: boolean;
  /** True: users can edit documents of another's service, with no server to start here. */
  hostedDocuments: boolean;
  /** True: the fleet also starts processes of another checkout of the project. */
  otherVersions: boolean;
  /**
   * True: the needs of frameworks beside the project (folders from outside, packages on demand, Python) come to where its
   * processes run.
   */
  bringsFrameworks: boolean;
  /** True: the fleet can play a crowd. */
  crowds: boolean;
  /** Options of this fleet alone: properties of the experiment file under `fleet.<name>`. */
  options: Readonly<Record<string, FleetOption>>;
}

export interface FleetOption {
  description: string;
  /** Valid forms; completes "write …". The schema's errors say the same. */
  forms: string;
  schema: z.ZodType;
  default: unknown;
}

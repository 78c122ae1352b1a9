/** What a fleet declares of itself, as data: rules, sizes, plan and resume ask for these capabilities, never for a name. */
import type * as z from 'zod';

export interface FleetAbout {
  /** Where its processes run, for the description of `fleet.on`; follows "<name>: ". */
  description: string;
  /** Whether each user and the server get a container of their own, with the limits of "resources". */
  limits: boolean;
  /** Users that share one Chrome, and so one process, where the experiment says nothing. */
  usersPerBrowser: number;
  /**
   * Whether it has places that are really apart. Then the server needs a region, and users whose group names one have the
   * real distance instead of an artificial delay.
   */
  regions: boolean;
  /** Whether a run that is resumed can be asked to have the same machine again. */
  sameMachine: boolean;
  /** Whether users can edit documents of frameworks that others host, which have no server to start. */
  hosted: boolean;
  /** Properties of the experiment file that are its own, under `fleet.<name>`; absent: none. */
  options?: z.ZodRawShape;
}

/** A user of a broken framework, without a browser. */
import type { ControlConnection } from '../../harness/trial/control-connection.ts';
import { createNodeDriver } from '../../harness/users/node/drivers.ts';
import { runUser } from '../../harness/users/user.ts';
import type { BrokenFramework } from './broken-framework.ts';

/** The data of a user's own thread. */
export interface UserThread {
  url: string;
  user: number;
  /** By its name in at-the-client.ts. */
  framework: string;
}

export function runNodeUser(framework: BrokenFramework, user: number, control: ControlConnection): Promise<void> {
  const driver = createNodeDriver(framework.client(user));
  return runUser({ control, driver, versions: { framework: '1', chrome: null }, onGo: () => {} });
}

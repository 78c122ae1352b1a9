/** Drivers without a browser: all users of the process share its thread, and whatever the framework's client runs on. */
import { loadClient } from '../../../frameworks/halves.ts';
import type { Drivers, DriversOptions } from '../drivers.ts';
import { watchClients } from './client.ts';
import { createNodeDriver } from './node-driver.ts';

export async function openDrivers({ framework, isLoad }: DriversOptions): Promise<Drivers> {
  watchClients();
  const client = await loadClient(framework);
  if (isLoad) client.quicken?.();
  return {
    create: () => createNodeDriver(client),
    chrome: null,
    editorsPid: process.pid,
    async close() {},
  };
}

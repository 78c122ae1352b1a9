/** Drivers at Google Docs, in one Chrome for all users here. */
import { openDriversAtChrome } from '../chrome/drivers.ts';
import type { Drivers, DriversOptions } from '../drivers.ts';
import { createDocsDriver } from './docs-driver.ts';

export function openDrivers(options: DriversOptions): Promise<Drivers> {
  return openDriversAtChrome(options, (browser, through) => createDocsDriver({ browser, through }));
}

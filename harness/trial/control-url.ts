/** The environment variable in which a process of a trial finds the coordinator's control address, token included. */
export const CONTROL_URL_VARIABLE = 'SCRIPTORIUM_CONTROL_URL';

/** The trial's token, which the control address of any of its processes holds: `ws://host:port/<token>/control`. */
export function tokenOf(controlUrl: string): string {
  return new URL(controlUrl).pathname.split('/')[1]!;
}

/** The environment variable in which a process of a trial finds the coordinator's control address. */
export const CONTROL_URL_VARIABLE = 'SCRIPTORIUM_CONTROL_URL';

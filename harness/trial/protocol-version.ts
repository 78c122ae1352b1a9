/**
 * The version of what the coordinator and the processes of a trial say to each other, records included. Raise it with every
 * change that a process of the version before would not understand: a run against another checkout asks for it there.
 */
export const PROTOCOL_VERSION = 7;

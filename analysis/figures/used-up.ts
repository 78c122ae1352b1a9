/** From when on what a trial uses counts as used up. */

/** Of all there is of it: what is left of it, others' bursts take. */
export const USED_UP = 0.9;
/** A server's loop that is this late delays what every user sees by a tenth of a second: what feels instantaneous. */
export const LATE_SERVER_MS = 100;

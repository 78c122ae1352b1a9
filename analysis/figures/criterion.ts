/**
 * Numbers that are choices of the analysis: the bounds of the two criteria, and from when on a resource is used up. First those of "fully functional", the paper's: does everyone type unhindered, and see the others' edits soon? Browser-safe.
 *
 * @see Weidner et al. 2023, "Collabs: A Flexible and Performant CRDT Collaboration Framework", section 7
 */
export const MIN_THROUGHPUT_PERCENT = 98;
export const MAX_MEDIAN_LOCAL_LATENCY_MS = 100;
export const MAX_MEDIAN_END_TO_END_LATENCY_MS = 3000;
/** The paper allows the 95th percentile twice the median's bound. */
export const P95_FACTOR = 2;
/** This project's own bound: latency says nothing of sigils that never arrive, so starved receivers would go unseen. */
export const MIN_SIGILS_ARRIVED_PERCENT = 95;

/**
 * The bounds of "smooth", this project's stricter criterion, which a page that freezes cannot pass; docs/verdicts.md says why
 * each is what it is. Of all sigils that fell due, typed or not, so many in a hundred must be shown in time.
 */
export const MIN_IN_TIME_PERCENT = 95;
/** Fewer sigils are deleted or formatted than typed, so their share stands for a lower quantile, which needs fewer. */
export const MIN_CHANGES_IN_TIME_PERCENT = 90;
/** On the own screen, from when the last key was due: twice the 100 ms that feel instantaneous. */
export const PROMPT_RESPONSE_MS = 200;
/** On another's screen: the second that keeps a thought together, and the second for which the paper gathers edits. */
export const SOON_SEEN_MS = 2000;
/**
 * An edit by somebody who had not seen a sigil is back at its sender's so soon after it, where all arrives in time: the
 * sigil needs so long to get there, and the edit to come here. What breaks a sigil later is not concurrent, but late.
 */
export const CONCURRENT_EDIT_MS = 2 * SOON_SEEN_MS;
/** Of the user who could type least. */
export const MIN_WORST_USER_THROUGHPUT_PERCENT = 95;
/** Of the time of the page that was busiest, in tasks that hold its thread for 50 ms or longer. */
export const MAX_LONG_TASK_PERCENT = 5;

/** How long a bucket of a series is, in seconds: each user sends one sigil in that time. */
export const BUCKET_S = 10;

/** Share of a resource above which it counts as exhausted; the rest is needed for other processes' bursts. */
export const USED_UP = 0.9;
/** A server's loop that is this late delays what every user sees by a tenth of a second: what feels instantaneous. */
export const LATE_SERVER_MS = 100;
/** Up to so much, a machine did not sleep during a trial, and its clock was not set. */
export const SURROUNDINGS_LIMIT_MS = 1000;
/** From here on, of all cores together, a latency is partly the machine's: what waits for a core waits longer than it works. */
export const BUSY_MACHINE_PERCENT = 60;

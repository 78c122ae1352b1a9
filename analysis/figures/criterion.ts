/**
 * The bounds of "fully functional": does everyone type unhindered, and see the others' edits soon? Browser-safe.
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

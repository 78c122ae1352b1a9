/** How fast what is known of a clock gets worse, ms per ms; `03-clocks.sql` says where each counts. */

/** How far two machines' clocks may drift apart: two quartz clocks of ± 50 ppm each. */
export const DRIFT_RATE = 100e-6;

/**
 * How far an offset between two measurements may be off their straight line.
 *
 * @see RFC 5905 (NTP), 7.2: a disciplined clock's frequency tolerance PHI is 15 ppm
 */
export const WANDER_RATE = 15e-6;

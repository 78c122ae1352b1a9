/** Durations and bandwidths as people write and read them. Inside the project they are milliseconds, and bytes per second. */

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The written form of a duration; also the pattern in the experiment file's JSON Schema. */
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** `500ms`, `2.5s`, `5m` or `1h`. @returns milliseconds, or null if the text has another form */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = DURATION_PATTERN.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/**
 * Writes a duration in the largest unit that needs no fraction: `5m`, `90s`, `2500ms`. `parseDuration` reads it back.
 *
 * @param durationMs a whole number of milliseconds
 */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  const unit = (['h', 'm', 's'] as const).find((each) => durationMs % UNITS_MS[each] === 0) ?? 'ms';
  return `${durationMs / UNITS_MS[unit]}${unit}`;
}

/** Writes a duration for reading at a glance, in its two largest units at most: `42 s`, `6 min 20 s`, `3 h 5 min`. */
export function formatAbout(durationMs: number): string {
  const seconds = Math.round(durationMs / UNITS_MS.s);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const UNITS_BITS = { 'Gbit/s': 1e9, 'Mbit/s': 1e6, 'kbit/s': 1e3 } as const;
const BITS_PER_BYTE = 8;

/** The written form of a bandwidth; also the pattern in the experiment file's JSON Schema. */
export const BANDWIDTH_PATTERN = /^(\d+(?:\.\d+)?)(Gbit\/s|Mbit\/s|kbit\/s)$/;

/** `256kbit/s`, `20Mbit/s` or `1.5Gbit/s`. @returns bytes per second, or null if the text has another form */
export function parseBandwidth(text: string): number | null {
  const [, amount, unit] = BANDWIDTH_PATTERN.exec(text) ?? [];
  return amount === undefined ? null : (Number(amount) * UNITS_BITS[unit as keyof typeof UNITS_BITS]) / BITS_PER_BYTE;
}

/** Writes a bandwidth in the largest unit of which it is at least one: `20Mbit/s`. `parseBandwidth` reads it back. */
export function formatBandwidth(bytesPerSecond: number): string {
  const bits = bytesPerSecond * BITS_PER_BYTE;
  const unit = (['Gbit/s', 'Mbit/s'] as const).find((each) => bits >= UNITS_BITS[each]) ?? 'kbit/s';
  return `${bits / UNITS_BITS[unit]}${unit}`;
}

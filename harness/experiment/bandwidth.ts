/** Bandwidths as people write and read them: decimal bits per second. Inside the project they are bytes per second. */

const UNITS_BITS = { 'Gbit/s': 1e9, 'Mbit/s': 1e6, 'kbit/s': 1e3 } as const;
const BITS_PER_BYTE = 8;

/** The written form of a bandwidth; also the pattern in the experiment file's JSON Schema. */
export const BANDWIDTH_PATTERN = /^(\d+(?:\.\d+)?)(Gbit\/s|Mbit\/s|kbit\/s)$/;

/**
 * Reads `256kbit/s`, `20Mbit/s` or `1.5Gbit/s`.
 *
 * @returns bytes per second, or null if the text has another form
 */
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

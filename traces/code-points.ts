/** Between JavaScript's strings, which count UTF-16 units, and code points, which traces count. */

/** Engines limit how many arguments a call takes; this is safe in all. */
const CHUNK = 8192;

export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

export function textOf(codePoints: Uint32Array): string {
  let text = '';
  for (let i = 0; i < codePoints.length; i += CHUNK) text += String.fromCodePoint(...codePoints.subarray(i, i + CHUNK));
  return text;
}

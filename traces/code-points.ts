/** Between JavaScript's strings, which count UTF-16 units, and code points, which traces count. */

/** Engines limit how many arguments a call takes; this is safe in all. */
const CHUNK = 8192;

export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

export function unitsOf(text: string): number[] {
  const units = new Array<number>(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/** Of units it gives the text, too: halves of a pair that stand side by side are a character. */
export function textOf(codePoints: Uint32Array): string {
  let text = '';
  for (let i = 0; i < codePoints.length; i += CHUNK) text += String.fromCodePoint(...codePoints.subarray(i, i + CHUNK));
  return text;
}

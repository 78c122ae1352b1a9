/** All samples of several trials together, in ascending order. */
export function pool(samplesOfTrials: readonly Float64Array[]): Float64Array {
  const pooled = new Float64Array(samplesOfTrials.reduce((length, samples) => length + samples.length, 0));
  let filled = 0;
  for (const samples of samplesOfTrials) {
    pooled.set(samples, filled);
    filled += samples.length;
  }
  return pooled.sort();
}

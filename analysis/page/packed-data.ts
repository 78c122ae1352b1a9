/** The site's data as its page carries them: compressed, since rows repeat names and sentences a hundred times. Browser-safe. */

/** @returns gzipped JSON in base64; the same data give the same text */
export async function packData(data: unknown): Promise<string> {
  const packed = new Response(new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream('gzip')));
  const bytes = Array.from(new Uint8Array(await packed.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join(''));
}

/** @throws TypeError if the text is not what `packData` gave */
export async function unpackData<Data>(packed: string): Promise<Data> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  return (await plain.json()) as Data;
}

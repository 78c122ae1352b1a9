/** Loads modules that need Loro, whose WebAssembly is loaded when its module is first imported. */

/** @throws Error with the framework and a remedy, if Loro is not there or its WebAssembly does not load */
export async function withLoro<T>(framework: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const why = 'its package or its WebAssembly file (3.6 MB) is missing, or the engine refuses WebAssembly';
    const remedy = 'run npm ci, and see that nothing between the page and its server blocks .wasm files';
    throw new Error(`${framework}: the package loro-crdt does not load: ${why}; ${remedy} (${cause})`, { cause });
  }
}

/** Loads modules whose library has WebAssembly, which is loaded when the library's module is first imported. */

/** @throws Error with the framework and a remedy, if the library is not there or its WebAssembly does not load */
export async function withWasm<T>(framework: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = 'a package or its WebAssembly file (3.6 MB) is missing, or this engine refuses WebAssembly';
    const remedy = 'run npm ci, and let a proxy or a content security policy on the way pass the file';
    throw new Error(`${framework} does not load: ${missing}; ${remedy} (${cause})`, { cause });
  }
}

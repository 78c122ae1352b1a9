/** Knows the memories of a page's or a process's WebAssembly, whichever library makes them: they are no part of the JavaScript heap. */

type Wasm = typeof WebAssembly;

/**
 * Changes `scope.WebAssembly` so that it notes each memory that an instance brings along, or that a script makes.
 *
 * @returns tells how many bytes each of those holds that are still there
 */
export function watchWasmMemories(scope: { WebAssembly: Wasm }): () => number[] {
  const wasm = scope.WebAssembly;
  const { instantiate, instantiateStreaming, Instance, Memory } = wasm;
  const known = new WeakSet<WebAssembly.Memory>();
  const memories = new Set<WeakRef<WebAssembly.Memory>>();
  const note = (memory: WebAssembly.Memory) => {
    if (!known.has(memory)) memories.add(new WeakRef(memory));
    known.add(memory);
    return memory;
  };
  const noteOf = (instance: WebAssembly.Instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) note(value);
    return instance;
  };
  // Proxies, so that `instanceof` holds as before.
  wasm.Memory = new Proxy(Memory, { construct: (target, args) => note(Reflect.construct(target, args)) });
  wasm.Instance = new Proxy(Instance, { construct: (target, args) => noteOf(Reflect.construct(target, args)) });
  wasm.instantiate = (async (...args: Parameters<typeof instantiate>) => {
    const made: unknown = await instantiate(...args);
    noteOf(made instanceof Instance ? made : (made as WebAssembly.WebAssemblyInstantiatedSource).instance);
    return made;
  }) as typeof instantiate;
  wasm.instantiateStreaming = async (...args) => {
    const made = await instantiateStreaming(...args);
    noteOf(made.instance);
    return made;
  };
  return () => [...memories].map((memory) => memory.deref()?.buffer.byteLength ?? 0);
}

/** As `watchWasmMemories`. @returns tells how many bytes they hold together */
export function watchWasmMemory(scope: { WebAssembly: Wasm }): () => number {
  const bytes = watchWasmMemories(scope);
  return () => bytes().reduce((sum, each) => sum + each, 0);
}

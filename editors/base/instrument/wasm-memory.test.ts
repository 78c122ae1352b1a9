import { expect, test } from 'vitest';
import { watchWasmMemory } from './wasm-memory.ts';

/** A module that exports a memory of so many pages of 64 KiB: `(module (memory (export "m") PAGES))`. */
const moduleWith = (pages: number) =>
  Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, pages, 7, 5, 1, 1, 0x6d, 2, 0]);
const PAGE_BYTES = 65_536;

/** The own WebAssembly of this process, changed for one test. */
function watched() {
  const names = ['instantiate', 'instantiateStreaming', 'Instance', 'Memory', 'Module'] as const;
  const scope = { WebAssembly: Object.fromEntries(names.map((name) => [name, WebAssembly[name]])) };
  const wasm = scope.WebAssembly as unknown as typeof WebAssembly;
  return { wasm, bytes: watchWasmMemory({ WebAssembly: wasm }) };
}

test('memories count however an instance is made, and grow', async () => {
  const { wasm, bytes } = watched();
  expect(bytes()).toBe(0);
  const { instance, module } = await wasm.instantiate(moduleWith(1));
  expect(bytes()).toBe(PAGE_BYTES);
  const second = await wasm.instantiate(module);
  const third = new wasm.Instance(new wasm.Module(moduleWith(2)));
  expect(bytes()).toBe(4 * PAGE_BYTES);
  (instance.exports.m as WebAssembly.Memory).grow(3);
  expect(bytes()).toBe(7 * PAGE_BYTES);
  expect([second instanceof wasm.Instance, third instanceof wasm.Instance]).toEqual([true, true]);
  expect(third.exports.m instanceof wasm.Memory).toBe(true);
});

test('a memory that a script makes counts once, whoever imports and exports it', async () => {
  const { wasm, bytes } = watched();
  const memory = new wasm.Memory({ initial: 5 });
  // `(module (import "e" "m" (memory 1)) (export "m" (memory 0)))`
  const passesOn = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 2, 8, 1, 1, 0x65, 1, 0x6d, 2, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0],
  ]);
  const { instance } = await wasm.instantiate(passesOn, { e: { m: memory } });
  expect(instance.exports.m).toBe(memory);
  expect(bytes()).toBe(5 * PAGE_BYTES);
});

test('what is no module fails as before', async () => {
  await expect(watched().wasm.instantiate(Uint8Array.from([1]))).rejects.toThrow(WebAssembly.CompileError);
});

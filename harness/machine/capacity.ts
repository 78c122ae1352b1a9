/** What this machine has for users. */
import { availableParallelism, freemem } from 'node:os';

const MIB = 2 ** 20;

export interface Machine {
  cores: number;
  /** Memory that is free for new processes. */
  availableMemoryMiB: number;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), availableMemoryMiB: freemem() / MIB };
}

export function formatMachine({ cores, availableMemoryMiB }: Machine): string {
  return `this machine: ${cores} cores, ${formatGiB(availableMemoryMiB)} of memory available`;
}

export function formatGiB(memoryMiB: number): string {
  return `${(memoryMiB / 1024).toFixed(1)} GiB`;
}

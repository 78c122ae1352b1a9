/** This machine's capacity for users. */
import { availableParallelism, freemem } from 'node:os';
import { MODES, type Mode } from '../../frameworks/modes.ts';

const MIB = 2 ** 20;

export interface Machine {
  cores: number;
  /** Memory that is free for new processes. */
  availableMemoryMiB: number;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), availableMemoryMiB: freemem() / MIB };
}

/** How many users of a mode its free memory holds, roughly. */
export function usersThatFit(mode: Mode, { availableMemoryMiB }: Machine): number {
  return Math.floor(availableMemoryMiB / MODES[mode].userCost.memoryMiB);
}

export function formatMachine({ cores, availableMemoryMiB }: Machine): string {
  return `this machine: ${cores} cores, ${formatGiB(availableMemoryMiB)} of memory available`;
}

export function formatGiB(memoryMiB: number): string {
  return `${(memoryMiB / 1024).toFixed(1)} GiB`;
}

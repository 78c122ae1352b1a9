/** Commands in the process of the tests: one of its own takes most of a second to start. */
import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../cli/command-line.ts';

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command as `cli/main.ts` does; one at a time, as all write to the same streams. */
export async function scriptorium(...args: string[]): Promise<Said> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const before = process.exitCode;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0),
    // Vitest has replaced this console by one that writes past the streams.
    vi.spyOn(console, 'log').mockImplementation((...printed) => void stdout.push(`${format(...printed)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...printed) => void stderr.push(`${format(...printed)}\n`)),
  ];
  process.exitCode = 0;
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode), stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

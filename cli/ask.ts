/** Asks the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import type { Question } from '../harness/users/docs/documents.ts';

/**
 * Asks until an answer was given.
 *
 * @param options.input source of the answers; by default the terminal
 * @throws the signal's reason if the run is interrupted, an Error if no more answers can come
 */
export async function ask(
  { text, what, isAnswer }: Question,
  options: { signal: AbortSignal; input?: NodeJS.ReadableStream; output?: NodeJS.WritableStream },
): Promise<string> {
  const { signal, input = process.stdin, output = process.stderr } = options;
  const terminal = createInterface({ input, output });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort(new Error(`no ${what} was given: the input ended`)));
  // Readline takes Ctrl-C for itself; the command's own handler is to have it.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  output.write(`${text}\n`);
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for (;;) {
      const answer = (await terminal.question(`Its ${what}: `, { signal: either })).trim();
      if (isAnswer(answer)) return answer;
      output.write(`${JSON.stringify(answer)} is no ${what} of that form.\n`);
    }
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    terminal.close();
  }
}

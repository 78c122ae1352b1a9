/** Asks the person at the terminal for a fresh document, where the experiment lists none for a trial. */
import { createInterface } from 'node:readline/promises';
import type { Hosting } from '../../editors/base/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';

/**
 * Waits until a link was given.
 *
 * @param options.input where the answers come from; the terminal unless given
 * @throws the signal's reason where the run is interrupted, an Error where no more answers can come
 */
export async function askForDocument(options: {
  planned: PlannedTrial;
  hosting: Hosting;
  signal: AbortSignal;
  input?: NodeJS.ReadableStream;
  output?: NodeJS.WritableStream;
}): Promise<string> {
  const { planned, hosting, signal, input = process.stdin, output = process.stderr } = options;
  const terminal = createInterface({ input, output });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort(new Error('no link was given: the input ended')));
  // Readline takes Ctrl-C for itself; the command's own handler is to have it.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  output.write(
    `${planned.cell}, trial ${planned.trial}, needs an empty document that anyone with the link may edit (${hosting.linkForm}).\n`,
  );
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for (;;) {
      const link = (await terminal.question('Its link: ', { signal: either })).trim();
      if (hosting.isLink(link)) return link;
      output.write(`${JSON.stringify(link)} is no link of that form.\n`);
    }
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    terminal.close();
  }
}

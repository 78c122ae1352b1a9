import { messageOf } from '../../results/user-error.ts';

/** Something behind a trial's servers failed, and not they. Its message is a sentence. */
export class BackingFailure extends Error {}

/** @param beginning of the sentence that an error ends. @throws BackingFailure whatever fails */
export async function asBacking<Value>(beginning: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    throw new BackingFailure(`${beginning}: ${messageOf(cause)}`, { cause });
  }
}

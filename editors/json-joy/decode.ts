/** Messages of the relay, as values to read: for `explore --trace`. */
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { type WholeDocument, wholeDocumentOf } from '../base/kit.ts';

/** A patch never begins with it; whole documents and saved states, of less than 16 MiB, do. */
const NO_PATCH = 0;

export function decodeMessage(message: Uint8Array): unknown {
  if (message[0] !== NO_PATCH) return `${Patch.fromBinary(message)}`;
  const whole = wholeOf(message);
  return whole === null ? { state: message } : { ...whole, messages: whole.messages.map(decodeMessage) };
}

function wholeOf(message: Uint8Array): WholeDocument | null {
  try {
    return wholeDocumentOf(message);
  } catch {
    // Its clock is no JSON: it is a saved state.
    return null;
  }
}

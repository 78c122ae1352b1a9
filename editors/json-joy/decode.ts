/** Messages of the relay, as values to read: for `explore --trace`. */
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { wholeDocumentOf } from './whole-document.ts';

/** A patch never begins with it; a saved state of less than 16 MiB does. */
const SAVED_STATE = 0;

export function decodeMessage(message: Uint8Array): unknown {
  const whole = wholeDocumentOf(message);
  if (whole !== null) return { state: whole.state, since: whole.since, messages: whole.messages.map(decodeMessage) };
  return message[0] === SAVED_STATE ? { state: message } : `${Patch.fromBinary(message)}`;
}

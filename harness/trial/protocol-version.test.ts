/** Reminds of the protocol's version: it must rise with the messages. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { messageToCoordinator, messageToProcess } from './protocol.ts';
import { PROTOCOL_VERSION } from './protocol-version.ts';

/** Of the messages in that version. */
const KNOWN = { version: 7, messages: '74baff0c8ec21287' };

test('messages that have changed have another version', () => {
  const schemas = [messageToCoordinator, messageToProcess].map((schema) =>
    z.toJSONSchema(schema, { unrepresentable: 'any' }),
  );
  const messages = createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);
  expect(
    { version: PROTOCOL_VERSION, messages },
    'The messages of harness/trial/protocol.ts or the records in them have changed. If a process of the version before ' +
      'would misunderstand the new ones, raise PROTOCOL_VERSION. Then note the new fingerprint here.',
  ).toEqual(KNOWN);
});

import { UpdateStatusCode } from 'loro-protocol';
import { expect, test, vi } from 'vitest';
import { createDocument } from '../loro/document.ts';
import { BatchingAdaptor } from './adaptor.ts';

test.each([
  [UpdateStatusCode.PermissionDenied, 'read-only'],
  [UpdateStatusCode.PayloadTooLarge, 'too large'],
  [UpdateStatusCode.RateLimited, 'rate limit'],
  // It does not have the edit, whatever it says of why.
  [UpdateStatusCode.InvalidUpdate, 'refused'],
  [UpdateStatusCode.Unknown, 'refused'],
])('an update that the server answers by code %i is refused as %s', (code, how) => {
  const onRefused = vi.fn();
  const batching = { receiveMs: 0, sendMs: 0 };
  const adaptor = new BatchingAdaptor(createDocument(), { batching, onInSync: () => {}, onRefused });
  adaptor.onUpdateError([], code);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('it does not take an update: '), how);
  adaptor.destroy();
});

import { VersionVector } from 'loro-crdt';
import { type JoinResponseOk, MessageType, UpdateStatusCode } from 'loro-protocol';
import Delta from 'quill-delta';
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
  const { adaptor, onRefused } = letIn();
  adaptor.onUpdateError([], code);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('it does not take an update: '), how);
  adaptor.destroy();
});

test('an update that comes before the server lets the user in again goes with what the server then lacks', () => {
  const { adaptor, onRefused, sent, room } = letIn();
  adaptor.leftRoom();
  adaptor.change(new Delta().insert('a'));
  adaptor.onUpdateError([], UpdateStatusCode.PermissionDenied);
  expect(onRefused).not.toHaveBeenCalled();
  sent.length = 0;
  void adaptor.handleJoinOk(room);
  expect(sent).toHaveLength(1);
  adaptor.destroy();
});

/** The adaptor of a user whom the server let into its room. */
function letIn() {
  const onRefused = vi.fn();
  const batching = { receiveMs: 0, sendMs: 0 };
  const adaptor = new BatchingAdaptor(createDocument(), { batching, onInSync: () => {}, onRefused });
  const sent: Uint8Array[] = [];
  const ctx = {
    send: (updates: Uint8Array[]) => void sent.push(...updates),
    onJoinFailed: () => {},
    onImportError: () => {},
  };
  adaptor.setCtx(ctx);
  const version = new VersionVector(new Map()).encode();
  const room = { type: MessageType.JoinResponseOk, permission: 'write', version } as JoinResponseOk;
  void adaptor.handleJoinOk(room);
  return { adaptor, onRefused, sent, room };
}

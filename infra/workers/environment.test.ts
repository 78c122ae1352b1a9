import { describe, expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { workerSettings } from './environment.ts';

const folder = folderOfEachTest();

describe('settings of a worker', () => {
  test('every variable that is wrong is named', () => {
    expect(() => workerSettings({ SCRIPTORIUM_DISPATCHER: 'http://x', SCRIPTORIUM_DEADLINE: 'soon' })).toThrow(
      /SCRIPTORIUM_DISPATCHER must hold .*SCRIPTORIUM_ROLE must hold .*SCRIPTORIUM_DEADLINE must hold/,
    );
    expect(() => workerSettings({ SCRIPTORIUM_DISPATCHER: 'ws://x:1', SCRIPTORIUM_ROLE: 'users' })).toThrow(
      /SCRIPTORIUM_TOKEN/,
    );
  });

  test('what Compose passes as empty is not set', async () => {
    await folder.put('token', 'from-the-file\n');
    const settings = workerSettings({
      SCRIPTORIUM_DISPATCHER: 'ws://coordinator:7070',
      SCRIPTORIUM_ROLE: 'server',
      SCRIPTORIUM_TOKEN: '',
      SCRIPTORIUM_TOKEN_FILE: folder.in('token'),
      SCRIPTORIUM_DEADLINE: '2026-01-01T00:00:00Z',
    });
    expect(await settings.readToken()).toBe('from-the-file');
    expect(settings).toMatchObject({ group: null, address: null, deadlineMs: Date.UTC(2026, 0, 1) });
  });
});

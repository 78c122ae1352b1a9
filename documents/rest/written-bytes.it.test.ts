import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writtenBytes } from './written-bytes.ts';

test.runIf(process.platform === 'linux')('what this process writes is counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'written-bytes-'));
  try {
    const before = writtenBytes()!;
    await appendFile(join(folder, 'file'), Buffer.alloc(100_000));
    expect(writtenBytes()! - before).toBeGreaterThanOrEqual(100_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('where the system does not say, it is not known', () => {
  expect(writtenBytes('/proc/self/no-such-file')).toBeNull();
  expect(writtenBytes(import.meta.filename)).toBeNull();
});

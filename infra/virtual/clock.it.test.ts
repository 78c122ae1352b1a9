import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('randomness comes from the seed, however it is asked for', async () => {
  const program = `
    import crypto from 'node:crypto';
    import { createVirtualClock, replaceGlobals } from ${JSON.stringify(import.meta.resolve('./clock.ts'))};
    const draw = async () => {
      replaceGlobals(createVirtualClock(), 7);
      const called = await new Promise((resolve) => crypto.randomBytes(4, (_, bytes) => resolve(bytes)));
      const part = crypto.randomFillSync(Buffer.alloc(8), 4, 2);
      return [called, crypto.randomBytes(4), part].map((bytes) => bytes.toString('hex')).join(' ');
    };
    console.log(await draw());
    console.log(await draw());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const [one, other] = stdout.split('\n');
  expect(other).toBe(one);
  expect(one).toMatch(/^\w{8} \w{8} 0{8}\w{4}0{4}$/);
});

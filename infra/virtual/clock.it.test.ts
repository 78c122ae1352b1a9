import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

async function printedBy(program: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])).stdout;
}

test('the date is the clock’s, with new and without', async () => {
  const program = `
    import { createVirtualClock, replaceGlobals } from ${JSON.stringify(import.meta.resolve('./clock.ts'))};
    const before = new Date(0);
    replaceGlobals(createVirtualClock(), 7);
    class Later extends Date {}
    const years = [new Date(), new Later(), new Date(Date.now()), new Date(Date())].map((date) => date.getUTCFullYear());
    console.log(...years, before instanceof Date, new Later() instanceof Later, new Date(2020, 1).getFullYear(), Date.UTC(1970));`;
  expect(await printedBy(program)).toBe('2026 2026 2026 2026 true true 2020 0\n');
});

test('randomness comes from the seed, however it is asked for', async () => {
  const program = `
    import crypto from 'node:crypto';
    import { createVirtualClock, replaceGlobals } from ${JSON.stringify(import.meta.resolve('./clock.ts'))};
    const draw = async () => {
      replaceGlobals(createVirtualClock(), 7);
      const called = await new Promise((resolve) => crypto.randomBytes(4, (_, bytes) => resolve(bytes)));
      const part = crypto.randomFillSync(Buffer.alloc(8), 4, 2);
      const whole = Buffer.from(crypto.randomFillSync(new ArrayBuffer(4)));
      const texts = [called, crypto.randomBytes(4), part, whole].map((bytes) => bytes.toString('hex'));
      const numbers = [crypto.randomInt(1e9), await new Promise((resolve) => crypto.randomInt(5, 7, (_, drawn) => resolve(drawn)))];
      return [...texts, ...numbers].join(' ');
    };
    console.log(await draw());
    console.log(await draw());`;
  const stdout = await printedBy(program);
  const [one, other] = stdout.split('\n');
  expect(other).toBe(one);
  expect(one).toMatch(/^\w{8} \w{8} 0{8}\w{4}0{4} (?!0{8})\w{8} \d+ [56]$/);
});

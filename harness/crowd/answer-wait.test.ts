import { expect, test } from 'vitest';
import { AnswerWait } from './answer-wait.ts';

const PERIOD_MS = 50;

/** A second each, in which somebody sends once in each period. @param comes true if a message comes by that period */
function waitsOf(seconds: number, comes: (period: number) => boolean): number[] {
  const wait = new AnswerWait();
  let received = 0;
  return Array.from({ length: seconds }, (_, second) => {
    for (let period = second * 20; period < (second + 1) * 20; period++) {
      if (comes(period)) received++;
      wait.look(period * PERIOD_MS, { received, sent: period });
    }
    return wait.take();
  });
}

test('who gets an answer in the next period has waited for that', () => {
  expect(waitsOf(3, (period) => period >= 2)).toEqual([50, 50, 50]);
});

test('who gets all in bursts waits from burst to burst, and a wait that is not over counts', () => {
  expect(waitsOf(6, (period) => period % 40 === 39).slice(2)).toEqual([1000, 2000, 1000, 2000]);
});

test('while nobody sends, nobody waits', () => {
  const wait = new AnswerWait();
  for (let ms = 0; ms < 10_000; ms += PERIOD_MS) wait.look(ms, { received: 0, sent: 0 });
  expect(wait.take()).toBe(0);
});

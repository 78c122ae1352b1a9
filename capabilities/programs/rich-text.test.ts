/** The cases themselves, on a text that two share; with each defect, the case that is for it must say so. */
import { expect, test } from 'vitest';
import type { Stage } from './outcome.ts';
import { type Formats, keepsIntent, type RichText } from './rich-text.ts';

interface Defects {
  /** Formats that typed text does not take over from the letter before it. */
  notGrowing: readonly string[];
  apart?: boolean;
  insertWith?: boolean;
  /** A range is formatted as far as it was when the replicas met last. */
  formatsLate?: boolean;
}

const CASES = ['bold-at-its-end', 'insert-within-bold', 'overlapping-formats', 'bold-against-unbold', 'link-edges'];

function opener({ notGrowing, apart, insertWith, formatsLate }: Defects): (text: string) => Stage<RichText> {
  return (text) => {
    let letters = [...text].map((letter) => ({ text: letter, formats: {} as Formats, isNew: false }));
    const put = (position: number, typed: string, formats: Formats) => {
      letters.splice(position, 0, ...[...typed].map((letter) => ({ text: letter, formats, isNew: true })));
    };
    const late: (() => void)[] = [];
    const set = (start: number, end: number, name: string, value: unknown) => {
      const range = letters.slice(start, end);
      const apply = () => {
        for (const letter of range) letter.formats = { ...letter.formats, [name]: value };
      };
      if (formatsLate === true) late.push(apply);
      else apply();
    };
    const replica = (isOther: boolean): RichText => ({
      insert(position, typed) {
        const before = Object.entries(letters[position - 1]?.formats ?? {});
        put(position, typed, Object.fromEntries(before.filter(([name]) => !notGrowing.includes(name))));
      },
      ...(insertWith === true && { insertWith: put }),
      format: set,
      unformat: (start, end, name) => set(start, end, name, null),
      spans: () => (apart === true && isOther ? [] : letters),
    });
    return {
      replicas: [replica(false), replica(true)],
      exchange() {
        for (const apply of late.splice(0)) apply();
        letters = letters.map((letter) => ({ ...letter, isNew: false }));
      },
    };
  };
}

test('where text grows as people mean it, all cases hold', async () => {
  for (const each of CASES) {
    expect(await keepsIntent(each, opener({ notGrowing: ['link'] })), each).toEqual({ mark: 'yes' });
  }
});

test('replicas that end apart are ✗, whatever else holds', async () => {
  for (const each of CASES) {
    expect(await keepsIntent(each, opener({ notGrowing: ['link'], apart: true })), each).toEqual({
      mark: 'no',
      why: 'replicas end apart',
    });
  }
});

test('what does not grow, or grows and should not, is told; and whether naming the formats helps', async () => {
  const never = await keepsIntent('bold-at-its-end', opener({ notGrowing: ['link', 'bold'] }));
  expect(never).toMatchObject({
    mark: 'no',
    why: expect.stringContaining('text typed at the end of bold text is not bold'),
  });
  const named = await keepsIntent('bold-at-its-end', opener({ notGrowing: ['link', 'bold'], insertWith: true }));
  expect(named).toMatchObject({
    mark: 'partly',
    why: expect.stringContaining('only where the insert names its formats'),
  });
  const link = await keepsIntent('link-edges', opener({ notGrowing: [] }));
  expect(link).toMatchObject({ mark: 'partly', why: expect.stringContaining('at a link’s end becomes part of it') });
});

test('a format that misses what is typed into its range meanwhile is told', async () => {
  const late = await keepsIntent('insert-within-bold', opener({ notGrowing: ['link'], formatsLate: true }));
  expect(late.mark).toBe('no');
});

test('a case that is not there is an error', async () => {
  await expect(keepsIntent('italic', opener({ notGrowing: [] }))).rejects.toThrow('there is no case "italic"');
});

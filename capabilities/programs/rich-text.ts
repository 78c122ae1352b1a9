/** Peritext's cases: people's intent in formatting, when two format at once. */
import { type Check, judge, type Outcome, type Stage } from './outcome.ts';

export type Formats = Readonly<Record<string, unknown>>;

interface Span {
  text: string;
  formats: Formats;
}

/** One replica of a text, as its library offers it. */
export interface RichText {
  /** Inserts without naming formats; if the library needs them named, with none. */
  insert(position: number, text: string): void;
  /** Inserts with exactly these formats named, if the library can do so. */
  insertWith?(position: number, text: string, formats: Formats): void;
  format(start: number, end: number, name: Format, value: unknown): void;
  unformat(start: number, end: number, name: Format): void;
  spans(): Span[];
}

export type Format = 'bold' | 'italic' | 'link';

/** Opens the two replicas of a text. */
export type OpenStage = (text: string) => Stage<RichText> | Promise<Stage<RichText>>;

interface Scene {
  /** The problem if it does not hold. */
  otherwise: string;
  play(one: RichText, other: RichText, exchange: () => Promise<void>): void | Promise<void>;
  holds(characters: readonly Character[]): boolean;
}

interface Character {
  character: string;
  formats: Formats;
}

const TEXT = 'The fox jumped.';
/** The position of "fox". */
const [WORD, WORD_END] = [4, 7];
const ADDRESS = 'https://example.org/fox';

const CASES: Record<string, (open: OpenStage) => Promise<Check[]>> = {
  'bold-at-its-end': boldAtItsEnd,
  'insert-within-bold': insertWithinBold,
  'overlapping-formats': overlappingFormats,
  'bold-against-unbold': boldAgainstUnbold,
  'link-edges': linkEdges,
};

export async function keepsIntent(capability: string, open: OpenStage): Promise<Outcome> {
  const look = CASES[capability];
  if (look === undefined) throw new Error(`there is no case "${capability}"; there are: ${Object.keys(CASES)}`);
  return judge(await look(open));
}

async function boldAtItsEnd(open: OpenStage): Promise<Check[]> {
  const atEnd = (insert: (replica: RichText) => void): Pick<Scene, 'play' | 'holds'> => ({
    async play(one, other, exchange) {
      one.format(WORD, WORD_END, 'bold', true);
      await exchange();
      insert(other);
    },
    holds: (characters) => has('bold', characters, WORD, WORD_END + 2) && !hasAny('bold', characters, WORD_END + 2),
  });
  return [
    await lookWithNaming(open, {
      otherwise: 'text typed at the end of bold text is not bold',
      onlyNamed: 'text typed at the end of bold text is bold only where the insert names its formats',
      scene: (insert) => atEnd(insert),
      position: WORD_END,
      text: 'es',
      formats: { bold: true },
    }),
    await look(open, {
      otherwise: 'text typed at the end of a word that another makes bold at once is not bold',
      play(one, other) {
        one.format(WORD, WORD_END, 'bold', true);
        other.insert(WORD_END, 'es');
      },
      holds: (characters) => has('bold', characters, WORD, WORD_END + 2) && !hasAny('bold', characters, WORD_END + 2),
    }),
  ];
}

async function insertWithinBold(open: OpenStage): Promise<Check[]> {
  return [
    await look(open, {
      otherwise: 'what is typed within a range that another makes bold at once is not bold',
      play(one, other) {
        one.format(0, TEXT.length, 'bold', true);
        other.insert(WORD - 1, ' quick');
      },
      holds: (characters) => has('bold', characters, 0, TEXT.length + ' quick'.length),
    }),
  ];
}

async function overlappingFormats(open: OpenStage): Promise<Check[]> {
  const end = TEXT.length - 1;
  return [
    await look(open, {
      otherwise: 'where bold and italic of two overlap, one is lost',
      play(one, other) {
        one.format(0, WORD_END, 'bold', true);
        other.format(WORD, end, 'italic', true);
      },
      holds: (characters) =>
        has('bold', characters, 0, WORD_END) &&
        !hasAny('bold', characters, WORD_END) &&
        !hasAny('italic', characters, 0, WORD) &&
        has('italic', characters, WORD, end) &&
        !hasAny('italic', characters, end),
    }),
    await look(open, {
      otherwise: 'where bold of two overlaps, some of it is lost',
      play(one, other) {
        one.format(0, WORD_END, 'bold', true);
        other.format(WORD, end, 'bold', true);
      },
      holds: (characters) => has('bold', characters, 0, end) && !hasAny('bold', characters, end),
    }),
  ];
}

async function boldAgainstUnbold(open: OpenStage): Promise<Check[]> {
  const isUniform = (characters: readonly Character[]) =>
    has('bold', characters, WORD, WORD_END) || !hasAny('bold', characters, WORD, WORD_END);
  return [
    await look(open, {
      otherwise: 'unbolding a word while another makes all bold changes more than that word',
      async play(one, other, exchange) {
        one.format(WORD, WORD_END, 'bold', true);
        await exchange();
        one.format(0, TEXT.length, 'bold', true);
        other.unformat(WORD, WORD_END, 'bold');
      },
      holds: (characters) =>
        has('bold', characters, 0, WORD) && isUniform(characters) && has('bold', characters, WORD_END, TEXT.length),
    }),
    await look(open, {
      otherwise: 'where an unbolded range overlaps one that another makes bold at once, more than the overlap changes',
      async play(one, other, exchange) {
        one.format(0, WORD_END, 'bold', true);
        await exchange();
        one.unformat(0, WORD_END, 'bold');
        other.format(WORD, TEXT.length, 'bold', true);
      },
      holds: (characters) =>
        !hasAny('bold', characters, 0, WORD) && isUniform(characters) && has('bold', characters, WORD_END, TEXT.length),
    }),
  ];
}

async function linkEdges(open: OpenStage): Promise<Check[]> {
  const link = (replica: RichText) => replica.format(WORD, WORD_END, 'link', ADDRESS);
  const isKept = (position: number, text: string) => (characters: readonly Character[]) => {
    const linked = characters.filter(({ formats }) => formats.link !== undefined).map(({ character }) => character);
    return linked.join('') === 'fox' && characters[position]?.character === text[0];
  };
  const edges = [
    { edge: 'end', position: WORD_END, text: 'es' },
    { edge: 'start', position: WORD, text: 'red ' },
  ];
  const checks: Check[] = [];
  for (const { edge, position, text } of edges) {
    checks.push(
      await lookWithNaming(open, {
        otherwise: `text typed at a link’s ${edge} becomes part of it`,
        onlyNamed: `text typed at a link’s ${edge} becomes part of it unless the insert names its formats`,
        scene: (insert) => ({
          async play(one, other, exchange) {
            link(one);
            await exchange();
            insert(other);
          },
          holds: isKept(position, text),
        }),
        position,
        text,
        formats: {},
      }),
      await look(open, {
        otherwise: `text typed at the ${edge} of a word that another makes a link at once becomes part of it`,
        play(one, other) {
          link(one);
          other.insert(position, text);
        },
        holds: isKept(position, text),
      }),
    );
  }
  return checks;
}

/** As people type: first without naming formats, and where that does not hold, naming them, which an editor could. */
async function lookWithNaming(
  open: OpenStage,
  options: {
    otherwise: string;
    onlyNamed: string;
    scene: (insert: (replica: RichText) => void) => Pick<Scene, 'play' | 'holds'>;
    position: number;
    text: string;
    formats: Formats;
  },
): Promise<Check> {
  const { otherwise, onlyNamed, scene, position, text, formats } = options;
  const typed = await look(open, { otherwise, ...scene((replica) => replica.insert(position, text)) });
  if (typed.holds) return typed;
  const canName = await withStage(open, ({ replicas }) => replicas[0].insertWith !== undefined);
  if (!canName) return typed;
  const named = await look(open, {
    otherwise,
    ...scene((replica) => replica.insertWith?.(position, text, formats)),
  });
  return named.holds ? { ...typed, otherwise: onlyNamed, isHalf: true } : typed;
}

/**
 * Plays the scene in both roles, and with either having typed something elsewhere before: neither which replica has the
 * greater identity nor which has the greater clock may matter.
 */
async function look(open: OpenStage, scene: Scene): Promise<Check> {
  const { otherwise, holds } = scene;
  const results: boolean[] = [];
  for (const busy of ['nobody', 'one', 'other'] as const) {
    for (const isExchanged of [false, true]) {
      const seen = await withStage(open, (stage) => play(scene, stage, { busy, isExchanged }));
      const [first, second] = seen.map((characters) => JSON.stringify(characters));
      if (first !== second) return { holds: false, otherwise: 'replicas end apart', isEssential: true };
      results.push(holds(seen[0]!));
    }
  }
  if (results.every((result) => result === results[0])) return { holds: results[0]!, otherwise };
  const decides =
    results[0] === results[1]
      ? 'how much either typed before decides'
      : 'which replica has the greater identity decides';
  return { holds: false, otherwise: `${otherwise} (${decides})`, isHalf: true };
}

/** @returns each replica's text in the end */
async function play(
  scene: Scene,
  { replicas, exchange }: Stage<RichText>,
  { busy, isExchanged }: { busy: 'nobody' | 'one' | 'other'; isExchanged: boolean },
): Promise<Character[][]> {
  const [one, other] = isExchanged ? [replicas[1], replicas[0]] : replicas;
  const typeElsewhere = () => {
    if (busy === 'nobody') return;
    const who = busy === 'one' ? one : other;
    who.insert(charactersOf(who.spans()).length, ' And on.');
  };
  typeElsewhere();
  await scene.play(one, other, async () => {
    await exchange();
    typeElsewhere();
  });
  await exchange();
  return replicas.map((replica) => charactersOf(replica.spans()));
}

async function withStage<Result>(
  open: OpenStage,
  use: (stage: Stage<RichText>) => Result | Promise<Result>,
): Promise<Result> {
  const stage = await open(TEXT);
  try {
    return await use(stage);
  } finally {
    await stage.close?.();
  }
}

/** Each with what formats it has, in the order of their names; a format that is off is none. */
function charactersOf(spans: readonly Span[]): Character[] {
  return spans.flatMap(({ text, formats }) => {
    const on = Object.entries(formats).filter(([, value]) => value !== null && value !== undefined && value !== false);
    const ordered = Object.fromEntries(on.sort(([one], [other]) => (one < other ? -1 : 1)));
    return [...text].map((character) => ({ character, formats: ordered }));
  });
}

function has(name: Format, characters: readonly Character[], start: number, end: number): boolean {
  const range = characters.slice(start, end);
  return range.length === end - start && range.every(({ formats }) => formats[name] !== undefined);
}

function hasAny(name: Format, characters: readonly Character[], start: number, end = characters.length): boolean {
  return characters.slice(start, end).some(({ formats }) => formats[name] !== undefined);
}

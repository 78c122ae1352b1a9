/**
 * An agent: somebody for whom a program types, in a paragraph of its own. It has a schedule and a typist as people have, but
 * types no sigils: what is measured is how people fare beside it.
 */
import * as prng from 'lib0/prng';
import { SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import type { Edit } from '../../../traces/edits.ts';
import { prose } from '../../../traces/prose.ts';
import { type AgentKind, REWRITE_PERIOD_S, REWRITTEN_CHARACTERS, TOKENS_PER_SECOND } from '../../experiment/company.ts';
import type { Typing } from '../../experiment/experiment.ts';
import { makeSchedule, type Schedule } from './schedule.ts';
import type { Action, Typist } from './typist.ts';

/** English that a token of a language model holds, on average. */
const TOKEN_CHARACTERS = 4;

const KINDS: Record<
  AgentKind,
  { perSecond: number; rhythm: Typing['rhythm']; characters: number; goOn: (text: string) => Action }
> = {
  stream: {
    perSecond: TOKENS_PER_SECOND,
    rhythm: 'poisson',
    characters: TOKEN_CHARACTERS,
    goOn: (text) => ({ kind: 'paste', move: 0, text }),
  },
  rewrite: {
    perSecond: 1 / REWRITE_PERIOD_S,
    rhythm: 'jittered',
    characters: REWRITTEN_CHARACTERS,
    goOn: (text) => ({ kind: 'rewrite', text }),
  },
};

/**
 * How an agent types; the same in each trial with this seed.
 *
 * @param options.edits one that makes room for the paragraph, which begins a character before the cursor then
 */
export function agentTyping(
  kind: AgentKind,
  options: { user: number; users: number; seed: number; edits: readonly Edit[] },
): { schedule: Schedule; typist: Typist } {
  const { user, users, seed, edits } = options;
  const { perSecond, rhythm, characters, goOn } = KINDS[kind];
  const times = makeSchedule({ user, users, seed, keysPerSecond: perSecond, sigilPeriodMs: 0, rhythm });
  const text = prose(prng.create(seed * SIGIL_NUMBERS + user));
  const firsts: ((text: string) => Action)[] = [(first) => ({ kind: 'paste', move: -1, text: first })];
  const room: Action[] = [...edits];
  return {
    schedule: {
      ...times,
      dueMs: (k) => (k < edits.length ? 0 : times.dueMs(k - edits.length)),
      startsSigil: () => false,
    },
    typist: {
      nextEdit: () => room.shift() ?? (firsts.shift() ?? goOn)(take(text, characters)),
      nextSigil: () => [],
      changeOf: () => null,
    },
  };
}

/** So many characters of prose, all of one paragraph. */
function take(text: Iterator<string, never>, characters: number): string {
  let taken = '';
  while (taken.length < characters) taken += text.next().value;
  return taken.replaceAll('\n', ' ');
}

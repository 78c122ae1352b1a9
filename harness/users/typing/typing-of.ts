/** How a user types, by its assignment: a person or an agent, and with looks around if others see its cursor. */
import type { Assignment } from '../../trial/protocol.ts';
import { agentTyping } from './agent.ts';
import { createLooks, type NextLook } from './looks.ts';
import { makeSchedule, type Schedule } from './schedule.ts';
import { createTypist, type Typist, type TypistOptions } from './typist.ts';

export function typingOf(
  assignment: Assignment,
  { longestMove }: Pick<TypistOptions, 'longestMove'>,
): { schedule: Schedule; typist: Typist; nextLook?: NextLook } {
  const { user, users, seed, typing, edits, agent, presence } = assignment;
  if (agent !== undefined) return agentTyping(agent, assignment);
  return {
    schedule: makeSchedule({ ...typing, user, users, seed }),
    typist: createTypist({ ...typing, user, seed, edits, longestMove }),
    nextLook: presence && createLooks({ user, seed, odds: typing.cursorMoves / 2 }),
  };
}

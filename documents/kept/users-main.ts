/** The process of one user: it can be killed without another's. */
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import type { Place } from '../join/processes.ts';
import { KeptUser, type UserNews } from './user.ts';

export interface UserCalls {
  start(framework: string): Promise<void>;
  /** A user joins, in the place of an earlier one of this process, which has left. @returns as `KeptUser.join` does */
  join(number: number, place: Place): ReturnType<KeptUser['join']>;
  startTyping(wordsPerSecond: number): Promise<void>;
  stopTyping(): Promise<void>;
  /** Types one more word. @returns the word */
  type(): Promise<string>;
  text(): Promise<string>;
  leave(): Promise<void>;
}

const tell = newsTo<UserNews>();
let client: FrameworkClient;
let user: KeptUser;

answerCalls<UserCalls>({
  async start(framework) {
    client = await loadClient(await findFramework(framework));
  },
  join(number, place) {
    user = new KeptUser(number, tell);
    return user.join(client, place);
  },
  startTyping: async (wordsPerSecond) => user.startTyping(wordsPerSecond),
  stopTyping: async () => user.stopTyping(),
  type: async () => user.type(),
  text: async () => user.text,
  leave: () => user.leave(),
});

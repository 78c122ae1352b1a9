/** The fate of each edit, from the news of all users. */
import type { UserNews } from './user-main.ts';

export interface TypedEdit {
  word: string;
  typedMs: number;
  /** When its library called it acknowledged; null: it did not. */
  acknowledgedMs: number | null;
  /** When another user's editor first showed it; null: none did. */
  seenMs: number | null;
}

interface UserAccount {
  typed: UserNews['typed'][];
  acknowledged: UserNews['acknowledged'][];
  shownMs: Map<string, number>;
  lost: string | null;
}

export class Ledger {
  readonly #accounts: UserAccount[] = [];

  /** @returns listeners to the news of one more user */
  follow(): { [Name in keyof UserNews]: (news: UserNews[Name]) => void } {
    const account: UserAccount = { typed: [], acknowledged: [], shownMs: new Map(), lost: null };
    this.#accounts.push(account);
    return {
      typed: (news) => account.typed.push(news),
      acknowledged: (news) => account.acknowledged.push(news),
      shown({ words, atMs }) {
        for (const word of words) if (!account.shownMs.has(word)) account.shownMs.set(word, atMs);
      },
      lost({ reason }) {
        account.lost ??= reason;
      },
    };
  }

  /** When a user's editor showed each word first, by the user's place in the order of `follow`. */
  shownTo(user: number): ReadonlyMap<string, number> {
    return this.#accounts[user]!.shownMs;
  }

  /** Why clients gave up. */
  get reasons(): string[] {
    return this.#accounts.flatMap(({ lost }) => lost ?? []);
  }

  /** The edits of all users up to this instant, the oldest first. What was acknowledged later does not count as acknowledged. */
  editsUntil(untilMs: number): TypedEdit[] {
    const edits = this.#accounts.flatMap((account) => {
      const others = this.#accounts.filter((other) => other !== account);
      const acknowledged = account.acknowledged.filter(({ atMs }) => atMs <= untilMs);
      return account.typed
        .filter(({ atMs }) => atMs <= untilMs)
        .map(({ word, atMs }, index): TypedEdit => {
          const seenMs = Math.min(...others.map(({ shownMs }) => shownMs.get(word) ?? Number.POSITIVE_INFINITY));
          return {
            word,
            typedMs: atMs,
            acknowledgedMs: acknowledged.find(({ words }) => words > index)?.atMs ?? null,
            seenMs: Number.isFinite(seenMs) ? seenMs : null,
          };
        });
    });
    return edits.sort((a, b) => a.typedMs - b.typedMs);
  }
}

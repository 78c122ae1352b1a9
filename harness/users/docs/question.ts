/** What a run asks the person who started it. */
export interface Question {
  /** Says what is needed, and what for; a whole sentence. */
  text: string;
  /** What the answer is, in a word: "link". */
  what: string;
  isAnswer(text: string): boolean;
}

/** Resolves with an answer; rejects where the run is interrupted, or no answer can come any more. */
export type Ask = (question: Question) => Promise<string>;

/** How long a played user waits for what others send. What it gets is not read, so whatever comes counts as an answer. */

/** Looked at in each read period, which is how fine a wait is known. */
export class AnswerWait {
  #received = 0;
  #sent = 0;
  #sinceMs: number | null = null;
  #longestMs = 0;

  /**
   * @param received messages that the user got so far
   * @param sent     frames that others sent so far
   */
  look(nowMs: number, { received, sent }: { received: number; sent: number }): void {
    if (this.#sinceMs !== null) this.#longestMs = Math.max(this.#longestMs, nowMs - this.#sinceMs);
    if (received > this.#received) this.#sinceMs = null;
    if (sent > this.#sent) this.#sinceMs ??= nowMs;
    this.#received = received;
    this.#sent = sent;
  }

  /** The longest wait since the last call, over or not, ms. */
  take(): number {
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }
}

/** Holds messages until they are asked for, by type, in order. */
import { Changes } from '../../infra/process/changes.ts';

export class Mailbox<Message extends { type: string }> {
  readonly #waiting: Message[] = [];
  readonly #delivered = new Changes();

  deliver(message: Message): void {
    this.#waiting.push(message);
    this.#delivered.happened();
  }

  /**
   * The next message of this type, also one that came before. Who asks first is answered first.
   *
   * @throws the signal's reason where it aborts before; a message that comes later is left to who asks next
   */
  async expect<T extends Message['type']>(type: T, signal: AbortSignal): Promise<Extract<Message, { type: T }>> {
    let taken: Message | undefined;
    await this.#delivered.until(() => {
      const index = this.#waiting.findIndex((message) => message.type === type);
      if (index >= 0) [taken] = this.#waiting.splice(index, 1);
      return taken !== undefined;
    }, signal);
    return taken as Extract<Message, { type: T }>;
  }
}

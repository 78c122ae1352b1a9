/** Two replicas of one document, which edit apart and meet. */
export interface Stage<Replica> {
  /** With the same content, and identities in ascending order. */
  replicas: [Replica, Replica];
  /** Each gets what it lacks of the other's. */
  exchange(): void | Promise<void>;
  close?(): Promise<void>;
}

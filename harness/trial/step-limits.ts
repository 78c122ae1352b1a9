/** How long the steps may take in which nobody types yet or any more, ms; typing itself lasts as long as the experiment says. */
export const STEP_LIMITS_MS = {
  /** Until the fleet has started a process, and until the server listens. */
  serve: 15_000,
  admit: 30_000,
  /** Each further user makes the others' start slower, on a machine that they share. */
  admitPerUser: 2000,
  ready: 30_000,
  /** Of what the document begins with: until it is in there, and everyone has it. */
  readyPerCharacter: 2,
  collect: 60_000,
  prove: 120_000,
} as const;

/** Failures that no check inside a process tells of: it ends with the process, or waits for something that never comes. */
import { type BrokenFramework, brokenJoin, honest } from './broken-framework.ts';

const onceMoreAreIn = (than: number, act: () => void) => {
  let joins = 0;
  return brokenJoin(async (join, options) => {
    const replica = await join(options);
    if (++joins > than) act();
    return replica;
  });
};

export function endsItsProcess(): BrokenFramework {
  return onceMoreAreIn(3, () => process.exit(3));
}

/** Not in its first world. */
export function endsLate(): BrokenFramework {
  return onceMoreAreIn(30, () => process.exit(3));
}

/** Once it has answered a batch. */
export function endsBetweenBatches(): BrokenFramework {
  const send = process.send!.bind(process) as (message: object, done?: () => void) => boolean;
  process.send = (message: { value?: object | null }) =>
    send(message, message.value && 'explained' in message.value ? () => process.exit(3) : undefined);
  return honest;
}

export function neverRests(): BrokenFramework {
  return onceMoreAreIn(3, () => {
    for (;;);
  });
}

export const neverLoads: BrokenFramework = {
  ...honest,
  client: (user) => ({ ...honest.client(user), load: () => new Promise(() => {}) }),
};

/** Failures that no check inside a process tells of: it ends with the process, or waits for something that never comes. */
import { type BrokenFramework, brokenJoin, honest } from './broken-framework.ts';

const onceThreeAreIn = (act: () => void) => {
  let joins = 0;
  return brokenJoin(async (join, options) => {
    const replica = await join(options);
    if (++joins > 3) act();
    return replica;
  });
};

export function endsItsProcess(): BrokenFramework {
  return onceThreeAreIn(() => process.exit(3));
}

export function neverRests(): BrokenFramework {
  return onceThreeAreIn(() => {
    for (;;);
  });
}

export const neverLoads: BrokenFramework = {
  ...honest,
  client: (user) => ({ ...honest.client(user), load: () => new Promise(() => {}) }),
};

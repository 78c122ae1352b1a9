/** What no check inside a process tells of, since it ends with the process, or never begins. */
import { type BrokenFramework, brokenJoin } from './broken-framework.ts';

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

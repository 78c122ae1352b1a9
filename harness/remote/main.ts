/** The entry of the coordinator's container: `node harness/remote/main.ts`. Its environment says all that it must know. */
import * as z from 'zod';
import { type SessionEnd, serveRemoteTrials } from './session.ts';
import { FIRST_PORT_VARIABLE, STEERING_TOKEN_VARIABLE } from './steering-protocol.ts';

const settingsSchema = z.object({
  [STEERING_TOKEN_VARIABLE]: z.string().min(16),
  [FIRST_PORT_VARIABLE]: z.coerce.number().int().min(1024).max(65_000),
  SCRIPTORIUM_TOKEN: z.string().min(16),
  SCRIPTORIUM_DEADLINE: z.iso.datetime(),
});

const ENDS: Record<SessionEnd, { code: number; text: string }> = {
  over: { code: 0, text: 'the run is over' },
  alone: { code: 1, text: 'the machine that steers the run is gone' },
  deadline: { code: 1, text: 'the hard deadline has come' },
  interrupted: { code: 143, text: 'interrupted' },
};

const interrupted = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
const settings = settingsSchema.safeParse(process.env);
if (settings.success) {
  const given = settings.data;
  const end = await serveRemoteTrials(
    {
      steeringToken: given[STEERING_TOKEN_VARIABLE],
      token: given.SCRIPTORIUM_TOKEN,
      firstPort: given[FIRST_PORT_VARIABLE],
      deadlineMs: Date.parse(given.SCRIPTORIUM_DEADLINE),
    },
    interrupted.signal,
  );
  console.error(`coordinator: ${ENDS[end].text}`);
  // A library's own timers must not keep alive, and bill, what is over.
  process.exit(ENDS[end].code);
} else {
  const names = settings.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
  console.error(`the environment is not what a coordinator needs: ${names.join('; ')}`);
  process.exit(2);
}

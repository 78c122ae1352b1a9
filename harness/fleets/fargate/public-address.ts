/** The address under which AWS sees this machine. */
import * as z from 'zod';
import { UserError } from '../../../results/user-error.ts';

/** Amazon's own service for this: it answers with the address that asks. */
const ASKED = 'https://checkip.amazonaws.com';
const ANSWER_LIMIT_MS = 10_000;

/** @throws UserError (3) where it cannot be found out */
export async function findPublicAddress(): Promise<string> {
  try {
    const response = await fetch(ASKED, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return z.ipv4().parse((await response.text()).trim());
  } catch (cause) {
    throw new UserError(
      `the public IPv4 address of this machine cannot be found out from ${ASKED}; write it as "fleet.fargate.reachedFrom"`,
      { exitCode: 3, cause },
    );
  }
}

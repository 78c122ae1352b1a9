/** The document as others would get it from a user: loaded from its saved state, or by joining in the end. */

/** Limit for joining at the end of a trial; less than the trial's wait for all records. */
const NEWCOMER_LIMIT_MS = 20_000;

export interface CopiesOptions {
  /** True if a newcomer is to join at this user's side. */
  withNewcomer: boolean;
  newcomerLimitMs?: number;
}

/** Digests, to compare with that of the user's own model. */
export interface Copies {
  /** Null if the framework cannot load one. */
  savedDigest: string | null;
  /** Null if nobody joined. */
  lateDigest: string | null;
  /** Why nobody did although it was tried. */
  lateProblem: string | null;
}

/** The source of copies: a session, or one in a page. */
export interface CopySource {
  savedDigest(): Promise<string | null>;
  lateDigest(): Promise<string>;
}

/** @throws Error if the saved state cannot be loaded */
export async function copiesOf(source: CopySource, options: CopiesOptions): Promise<Copies> {
  const savedDigest = await source.savedDigest().catch((error: Error) => {
    throw new Error(`its saved state does not load: ${sentenceOf(error)}`);
  });
  if (!options.withNewcomer) return { savedDigest, lateDigest: null, lateProblem: null };
  const limitMs = options.newcomerLimitMs ?? NEWCOMER_LIMIT_MS;
  const tooLate = Promise.withResolvers<never>();
  const limit = setTimeout(() => tooLate.reject(new Error(`it took more than ${limitMs / 1000} s`)), limitMs);
  try {
    const lateDigest = await Promise.race([source.lateDigest(), tooLate.promise]);
    return { savedDigest, lateDigest, lateProblem: null };
  } catch (error) {
    return { savedDigest, lateDigest: null, lateProblem: sentenceOf(error as Error) };
  } finally {
    clearTimeout(limit);
  }
}

/** An error from a page comes with its name and its stack. */
function sentenceOf({ message }: Error): string {
  return message.split('\n')[0]!.replace(/^Error: /, '');
}

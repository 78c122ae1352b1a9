/** Files and lines of a form that another version of the project writes. */
import type * as z from 'zod';

/** The words, to follow the place, on a file or line of another `schemaVersion`; null if that is not its problem. */
export function otherSchemaVersion(value: unknown, { issues }: z.ZodError): string | null {
  const found = issues.find(({ path }) => path.length === 1 && path[0] === 'schemaVersion');
  const { schemaVersion } = Object(value) as { schemaVersion?: unknown };
  if (found?.code !== 'invalid_value' || typeof schemaVersion !== 'number') return null;
  return `is of schema version ${schemaVersion}, but this version of the project reads ${found.values.join(', ')}; read it with the version that wrote it`;
}

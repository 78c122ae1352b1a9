/** What tables and charts say of the saved state beside its size. */
import type { CellSummary } from '../../results/formats/summary.ts';

/** How many times as large the framework's saved state is as Quill's own content; null where one is not known. */
export function savedStateRatio({ savedStateKiB, quillStateKiB }: CellSummary): number | null {
  return savedStateKiB === null || quillStateKiB === null || quillStateKiB === 0 ? null : savedStateKiB / quillStateKiB;
}

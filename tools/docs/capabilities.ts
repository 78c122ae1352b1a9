/** The generated parts of `docs/capabilities.md`, from the outcomes that were kept last. */
import {
  capabilitiesMarkdown,
  capabilityRowsMarkdown,
  paperMarksMarkdown,
} from '../../capabilities/capabilities-table.ts';
import { readOutcomes } from '../../capabilities/outcomes.ts';

export const CAPABILITY_PARTS: Readonly<Record<string, () => string | Promise<string>>> = {
  capabilities: async () => capabilitiesMarkdown(await readOutcomes()),
  'capability rows': capabilityRowsMarkdown,
  'paper capabilities': async () => paperMarksMarkdown(await readOutcomes()),
};

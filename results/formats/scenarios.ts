/** The scenarios of experiments. Browser-safe. */

/** Scenarios that measure single documents, without people who type into them at once. */
export const DOCUMENT_SCENARIOS = ['replay', 'state', 'join', 'rest'] as const;
/** All of them. An experiment that names none has the first. */
export const SCENARIOS = ['typing', ...DOCUMENT_SCENARIOS] as const;

export type DocumentScenario = (typeof DOCUMENT_SCENARIOS)[number];
export type Scenario = (typeof SCENARIOS)[number];

export function isDocumentScenario(name: unknown): name is DocumentScenario {
  return DOCUMENT_SCENARIOS.some((each) => each === name);
}

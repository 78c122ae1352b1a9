/** Trials that a test runs in its own process wait less before anyone types: no figure of these tests is of the idle server. */
import { vi } from 'vitest';

vi.mock(import('../harness/trial/steps.ts'), async (original) => ({
  ...(await original()),
  IDLE_MS: 100 as unknown as 2000,
}));

/**
 * The client halves that a page can load, by the names of their frameworks, each in a file of its own. Whoever bundles a page
 * says which, and puts them in this module's place: frameworks/page-build-main.ts.
 */
import type { FrameworkClient } from '../framework.ts';

export const clients: Readonly<Record<string, () => Promise<{ client: FrameworkClient }>>> = {};

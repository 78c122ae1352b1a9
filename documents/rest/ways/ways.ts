/** The ways that experiments can name. */
import { way as append } from './append.ts';
import { way as compact } from './compact.ts';
import { way as decompose } from './decompose.ts';
import type { WayName } from './packages.ts';
import { way as rewrite } from './rewrite.ts';
import type { Way } from './way.ts';

export const KNOWN_WAYS: Readonly<Record<WayName, Way>> = { rewrite, append, compact, decompose };

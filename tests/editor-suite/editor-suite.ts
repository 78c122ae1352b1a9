/**
 * Rules for every editor, as cases that run in a page and in Node alike. Quill passes them all, so they also describe
 * Quill's real behaviour.
 */
import type { EditorCase } from './assertions.ts';
import { CONTENTS_CASES } from './contents.ts';
import { CURSOR_CASES } from './cursor.ts';
import { SHOWING_CASES } from './showing.ts';

export type { EditorCase };

export const EDITOR_CASES: readonly EditorCase[] = [...CONTENTS_CASES, ...CURSOR_CASES, ...SHOWING_CASES];

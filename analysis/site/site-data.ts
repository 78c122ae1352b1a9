/**
 * The site's data, embedded in its page: runs, and their cells as rows of one shape, so that one table, one set of filters and one
 * chart serve typing, faults and single documents. Types only, so a browser may import them.
 */
import type { DocumentScenario } from '../../results/formats/documents.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Colour } from '../charts/palette.ts';
import type { Bound } from '../figures/figure.ts';

/** The origin of a row: a cell, one fault of it, the users that a framework carried, or a cell of documents. */
export type RowKind = 'typing' | 'carried' | 'faults' | DocumentScenario;

export const TABS = {
  typing: 'Typing',
  versions: 'Versions',
  faults: 'Resilience',
  documents: 'Single documents',
  capabilities: 'Capabilities',
} as const;
export type Tab = keyof typeof TABS;

export interface SiteData {
  /** The newest first. */
  runs: SiteRun[];
  questions: SiteQuestion[];
  rows: SiteRow[];
  /** By name, as far as the project knows them. */
  frameworks: Record<string, SiteFramework>;
  /** Address of the project's files, with a slash at its end. */
  code: string;
}

export interface SiteRun {
  /** `2026-11-23T0025-compare`. */
  name: string;
  /** Question, blocks, day and machine, to choose it by: `first-question hundred, crdts · 6 blocks · 2026-11-26 · Intel Xeon, 2 cores`. */
  title: string;
  /** Each is kept as `runs/<file>.json.gz`: its name, or those of a campaign's blocks. */
  files: readonly string[];
  experiment: string;
  startedAt: string;
  trace: string;
  /** `Intel Xeon, 2 cores, 303 turns/µs on one core, 560 on all`. */
  machine: string;
  /** Such as `measured 60 s`; runs with other ones do not compare. */
  conditions: string[];
  /** The path of the experiment among the ready-made ones; null if it is another's. */
  file: string | null;
  /** Arguments of `campaign` that measure it anew, with all of its part; null if it is of none, or of another's. */
  campaign: string | null;
  /** Of pooled blocks: sentences on machines whose speeds differ. */
  beware: readonly string[];
  /** True if somebody else measured it. */
  isSubmitted: boolean;
}

export interface SiteQuestion {
  id: string;
  tab: Tab;
  title: string;
  kind: RowKind;
  /** The heading of the first column: framework, engine or store. */
  who: string;
  columns: SiteColumn[];
  /** Names of the columns between which the chart draws a bar; else it draws the first column. */
  range: readonly [median: string, p95: string] | null;
}

export interface SiteColumn {
  name: string;
  label: string;
  unit: string;
  what: string;
  scale: 'linear' | 'log';
  better: 'lower' | 'higher';
  bound: Bound | null;
}

export interface SiteRow {
  kind: RowKind;
  /** Index into `runs`. */
  run: number;
  who: string;
  version: string;
  tier: CellSummary['tier'];
  mode: string;
  users: number | null;
  /** Further parameters: `observe edits`, a fault, or how the users carried were found. */
  also: string;
  trials: number;
  validTrials: number;
  verdict: CellSummary['verdict'];
  functional: boolean | null;
  smooth: boolean | null;
  /** True if most users were a played crowd, which was not shown to equal live users in all figures. */
  isOfPlayedCrowd?: boolean;
  reasons: string[];
  notes: string[];
  /** Flags of the command that repeats the row; empty: all of the experiment is run again. */
  flags: string;
  /** By columns; absent: not measured. */
  figures: Record<string, SiteFigure>;
}

export interface SiteFigure {
  value: number | null;
  /** Shown in the place of the value, such as `never` or `≥ 112`. */
  text?: string;
  ci95?: readonly [low: number, high: number];
  /** The valid trials' own figures. */
  trials?: readonly number[];
}

export interface SiteFramework {
  colour: Colour;
  /** `CRDT (YATA), MIT`. */
  about: string;
  /** Paths of its folders in the project. */
  folders: string[];
  issues: string[];
}

/**
 * The data of a page of results, embedded in it: of the report of a run, and of the site of all kept runs. A row is a cell, so that one
 * table, one set of filters and one set of charts serve typing, faults and single documents. Browser-safe.
 */
import type { ScenarioName } from '../../results/formats/documents.ts';
import type { Colour } from '../charts/palette.ts';
import type { Bound } from '../figures/figure.ts';
import type { Cell } from '../scenarios/cell.ts';

/** The origin of a row: a cell of a scenario, one fault of it, or what follows for a framework: the users that it carried, its unit costs. */
export type RowKind = ScenarioName | 'carried' | 'faults' | 'costs';

export const TABS = {
  typing: 'Typing',
  versions: 'Versions',
  faults: 'Resilience',
  backing: 'Stores and servers',
  documents: 'Single documents',
  costs: 'Unit costs',
  capabilities: 'Capabilities',
} as const;
export type Tab = keyof typeof TABS;

export interface PageData {
  /** True of a report, which has every cell's trials below; false of the site. */
  isReport: boolean;
  /** In the order in which they are offered. */
  runs: PageRun[];
  questions: Question[];
  rows: Row[];
  /** By name, as far as the page's maker knows them. */
  frameworks: Record<string, PageFramework>;
  /** Address of the project's files, with a slash at its end. */
  code: string;
}

export interface PageRun {
  /** `2026-11-23T0025-compare`. */
  name: string;
  /** Question, blocks, day and machine, to choose it by: `first-question comparison, young · 3 blocks · 2026-11-26 · Intel Xeon, 2 cores`. */
  title: string;
  /** Each is kept as `runs/<file>.json.gz`: its name, or those of a campaign's blocks; none of a report. */
  files: readonly string[];
  experiment: string;
  startedAt: string;
  trace: string;
  /** `Intel Xeon, 2 cores, 303 turns/µs on one core, 560 on all`. */
  machine: string;
  /** Such as `measured 60 s`; runs with other ones do not compare. */
  conditions: readonly string[];
  /** The path of the experiment among the ready-made ones; null if it is another's, and of a report. */
  file: string | null;
  /** Arguments of `campaign` that measure it anew, with all of its part; null if it is of none, or of another's. */
  campaign: string | null;
  /** A command that measures it anew with all that belongs to it, in place of the two above. */
  repeat?: string;
  /** Of pooled blocks: sentences on machines whose speeds differ. */
  beware: readonly string[];
  /** True if somebody else measured it. */
  isSubmitted: boolean;
}

export interface Question {
  id: string;
  tab: Tab;
  title: string;
  kind: RowKind;
  /** The heading of the first column: framework, engine or store. */
  who: string;
  columns: Column[];
  /** The columns between which its chart draws a bar; null: it draws one column. */
  range: { chart: string; median: string; p95: string } | null;
  /** Runs are asked it if one of their cells has one of these figures; absent: all are. */
  asksOf?: readonly string[];
}

export interface Column {
  name: string;
  label: string;
  unit: string;
  what: string;
  scale: 'linear' | 'log';
  better: 'lower' | 'higher';
  bound: Bound | null;
}

/** A cell of a run; or what follows from one, with other parameters and figures. Its trials stand elsewhere. */
export interface Row extends Cell {
  kind: RowKind;
  /** Index into `runs`. */
  run: number;
  /** By figure: the words in the place of its value, such as `never` or `≥ 112`. */
  texts: Readonly<Record<string, string>>;
  /** By figure: the valid trials' own, if the run kept them. */
  replicates: Replicates;
  /** True if most users were a played crowd, which was not shown to equal live users in all figures. */
  isOfPlayedCrowd: boolean;
  /** Flags of the command that repeats the row; empty: all of the experiment is run again. */
  flags: string;
}

export type Replicates = Readonly<Record<string, readonly number[]>>;

export interface PageFramework {
  colour: Colour;
  /** `CRDT (YATA), MIT`; empty in a report. */
  about: string;
  /** Paths of its folders in the project. */
  folders: string[];
  issues: string[];
}

/** Where everything that one run writes lies: `<root>/plan.json`, `environment.json`, `trials/<cell>-<n>/…`, `summary.json`. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What `plan.json` says about one trial; `directory` is relative to the run's root. */
export interface PlannedTrial {
  cell: string;
  framework: string;
  mode: string;
  users: number;
  /** From 1. */
  trial: number;
  seed: number;
  directory: string;
}

/** `plan.json`: the experiment as resolved (every default filled in), and its trials in the order they run. */
export interface PlanFile {
  schemaVersion: 1;
  startedAt: string;
  experiment: { name: string } & Record<string, unknown>;
  trials: PlannedTrial[];
}

export const PLAN_FILE = 'plan.json';
export const ENVIRONMENT_FILE = 'environment.json';
export const SUMMARY_FILE = 'summary.json';
export const VERDICT_FILE = 'verdict.json';

/**
 * Writes a file so that a reader sees the old one or the whole new one, never a part.
 *
 * @throws the file system's error, after removing what was half written
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.partial`;
  await writeFile(partial, content);
  await rename(partial, path);
}

/** Writes a value as indented JSON, atomically. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The path of a process's record in a trial's directory. */
export function recordPath(trialDirectory: string, name: string): string {
  return join(trialDirectory, 'records', `${name}.ndjson.gz`);
}

/** What the views share with the rest of the project: rules that stand in TypeScript once, and the catalogue of figures. */
import { FRAMEWORK_FAILURES, PHASES, READABLE_VERSIONS, RENAMED_PHASES } from '../../results/formats/records.ts';
import { RENAMED_MODES } from '../../results/formats/run-directory.ts';
import { BUCKET_S } from '../figures/bucket.ts';
import { BOUNDED_FIGURES, figuresIn } from '../figures/catalogue.ts';
import { CONCURRENT_EDIT_MS, PROMPT_RESPONSE_MS, SOON_SEEN_MS } from '../figures/criterion.ts';
import type { Figure, Source } from '../figures/figure.ts';
import { poolingSql } from '../figures/pooling.ts';
import { LATE_SERVER_MS, USED_UP } from '../figures/used-up.ts';
import { ERROR_RATE } from '../statistics/quantile.ts';
import { DRIFT_RATE, WANDER_RATE } from './clock-rates.ts';

/** Macros that the views use, so they come before them; what each is stands in 01-records.sql. */
export function macroDefinitions(): string {
  const phases = PHASES.map((phase) => `'${phase}'`).join(', ');
  const phaseNames = Object.entries(RENAMED_PHASES).map(([former, name]) => `WHEN '${former}' THEN '${name}'`);
  const modeName = Object.entries(RENAMED_MODES).reduce(
    (text, [former, name]) => `regexp_replace(${text}, '^${former}(\\+|$)', '${name}\\1')`,
    'mode',
  );
  const bounds = BOUNDED_FIGURES.map(({ name, bound }) => `WHEN '${name}' THEN ${bound.value}`);
  return `
    CREATE MACRO present_phase(phase) AS CASE phase ${phaseNames.join(' ')} ELSE phase END;
    CREATE MACRO present_mode(mode) AS ${modeName};
    CREATE MACRO phase_number(phase) AS list_position([${phases}], present_phase(phase));
    CREATE MACRO readable_versions() AS [${READABLE_VERSIONS.join(', ')}];
    CREATE MACRO framework_failure_codes() AS [${FRAMEWORK_FAILURES.map((code) => `'${code}'`).join(', ')}];
    CREATE MACRO prompt_response_ms() AS ${PROMPT_RESPONSE_MS};
    CREATE MACRO soon_seen_ms() AS ${SOON_SEEN_MS};
    CREATE MACRO concurrent_edit_ms() AS ${CONCURRENT_EDIT_MS};
    CREATE MACRO used_up_percent() AS ${100 * USED_UP};
    CREATE MACRO late_server_ms() AS ${LATE_SERVER_MS};
    CREATE MACRO drift_rate() AS ${DRIFT_RATE};
    CREATE MACRO wander_rate() AS ${WANDER_RATE};
    CREATE MACRO bucket_ms() AS ${1000 * BUCKET_S};
    CREATE MACRO enough_for(p, n) AS n > 0 AND pow(p, n) + pow(1 - p, n) <= ${ERROR_RATE};
    CREATE MACRO bound_of(figure) AS CASE figure ${bounds.join(' ')} END;`;
}

/**
 * The view `cell_summaries`, which needs the others: one row per cell, with the figures of the catalogue that say so, by
 * the names of `summary.json`; latencies as the view `series` calls them, such as `localP50Ms`.
 *
 * The variable `valid_trials`, a list of trial names, says which trials count; where it is not set, all do:
 * `SET VARIABLE valid_trials = ['yjs-noquill-4-1', 'yjs-noquill-4-2']`. What the run itself counted stands in `summary.json`.
 */
export function cellSummariesView(): string {
  const columns = figuresIn('sql').map((figure) => `${pooledSql(figure)} AS ${columnOf(figure)}`);
  return `
    CREATE VIEW cell_summaries AS
    WITH counted AS (
      SELECT * FROM trials JOIN trial_figures USING (trial)
      WHERE coalesce(list_contains(getvariable('valid_trials'), trial::VARCHAR), true)
    )
    SELECT cell, framework, mode, users, count(*)::INTEGER AS trials, ${columns.join(', ')}
    FROM counted
    GROUP BY cell, framework, mode, users`;
}

/** A figure's column in `cell_summaries`. */
export function columnOf({ name }: Figure): string {
  return name.replace(/LatencyMs\.p(\d+)$/, 'P$1Ms').replace(/LatencyMs\.samples$/, 'Samples');
}

function pooledSql({ source }: Figure): string {
  return poolingSql(
    source as Source,
    (name, aggregate) =>
      `(SELECT ${aggregate} FROM counted AS pooled JOIN samples USING (trial) WHERE pooled.cell = counted.cell AND figure = '${name}')`,
  );
}

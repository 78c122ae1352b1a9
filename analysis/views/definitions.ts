/** Rules that the views share with the rest of the project: they stand in TypeScript once, as does the catalogue of figures. */
import { FRAMEWORK_FAILURES, PHASES, RENAMED_PHASES, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { RENAMED_MODES } from '../../results/formats/run-directory.ts';
import { BOUNDED_FIGURES } from '../figures/catalogue.ts';
import {
  BUCKET_S,
  CONCURRENT_EDIT_MS,
  LATE_SERVER_MS,
  PROMPT_RESPONSE_MS,
  SOON_SEEN_MS,
  USED_UP,
} from '../figures/criterion.ts';
import { ERROR_RATE } from '../statistics/quantile.ts';

/** How far two machines' clocks may drift apart, ms per ms: two quartz clocks of ± 50 ppm each; 03-clocks.sql says where it counts. */
export const DRIFT_RATE = 100e-6;
/**
 * How far an offset between two measurements may be off their straight line, ms per ms.
 *
 * @see RFC 5905 (NTP), 7.2: a disciplined clock's frequency tolerance PHI is 15 ppm
 */
const WANDER_RATE = 15e-6;

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
    CREATE MACRO schema_version() AS ${SCHEMA_VERSION};
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

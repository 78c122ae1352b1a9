/**
 * Parts of the views that stand in TypeScript once. Macros: rules shared with the rest of the project. The schema `line`: the
 * lines of the records as views, one per type, with its fields as columns, such as `line.network` or `line.sigil_sent`.
 */
import * as z from 'zod';
import { FRAMEWORK_FAILURES, PHASES, recordSchema, SCHEMA_VERSION } from '../../results/formats/records.ts';
import {
  BUCKET_S,
  CONCURRENT_EDIT_MS,
  LATE_SERVER_MS,
  PROMPT_RESPONSE_MS,
  SOON_SEEN_MS,
  SURROUNDINGS_LIMIT_MS,
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
  return `
    CREATE MACRO phase_number(phase) AS list_position([${phases}], phase);
    CREATE MACRO schema_version() AS ${SCHEMA_VERSION};
    CREATE MACRO framework_failure_codes() AS [${FRAMEWORK_FAILURES.map((code) => `'${code}'`).join(', ')}];
    CREATE MACRO prompt_response_ms() AS ${PROMPT_RESPONSE_MS};
    CREATE MACRO soon_seen_ms() AS ${SOON_SEEN_MS};
    CREATE MACRO concurrent_edit_ms() AS ${CONCURRENT_EDIT_MS};
    CREATE MACRO used_up_percent() AS ${100 * USED_UP};
    CREATE MACRO late_server_ms() AS ${LATE_SERVER_MS};
    CREATE MACRO surroundings_limit_ms() AS ${SURROUNDINGS_LIMIT_MS};
    CREATE MACRO drift_rate() AS ${DRIFT_RATE};
    CREATE MACRO wander_rate() AS ${WANDER_RATE};
    CREATE MACRO bucket_ms() AS ${1000 * BUCKET_S};
    CREATE MACRO enough_for(p, n) AS n > 0 AND pow(p, n) + pow(1 - p, n) <= ${ERROR_RATE};`;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** As `json_transform` takes them: the name of a type, one in brackets for a list, an object of them for a structure. */
type Structure = string | [Structure] | { [field: string]: Structure };

interface LineType {
  name: string;
  /** But for the type and the instant, which every line has. */
  fields: Record<string, Structure>;
  /** Those that must be there, and not null; the instant may be one of them. */
  required: string[];
}

const LINE_TYPES: readonly LineType[] = recordSchema.options.map((option) => {
  const { properties = {}, required = [] } = z.toJSONSchema(option) as JsonSchema;
  const { type, atMs, ...fields } = properties as Record<string, JsonSchema>;
  const isNullable = (field: string) => typesOf(fields[field]).includes('null');
  return {
    name: type!.const as string,
    fields: Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, structureOf(schema)])),
    required: required.filter((field) => field !== 'type' && !isNullable(field)),
  };
});

/** Several where it may be null. */
function typesOf({ type, anyOf }: JsonSchema = {}): string[] {
  return anyOf === undefined ? [type ?? []].flat() : (anyOf as JsonSchema[]).flatMap(typesOf);
}

function structureOf(schema: JsonSchema): Structure {
  switch (typesOf(schema).find((type) => type !== 'null')) {
    case 'integer':
      return 'BIGINT';
    case 'number':
      return 'DOUBLE';
    case 'array':
      // A tuple's members are of one type here, but for whether they are whole.
      return [structureOf((schema.items || (schema.prefixItems as JsonSchema[]).at(-1)) as JsonSchema)];
    case 'object':
      // One whose fields nobody knows beforehand stays as it is.
      if (schema.properties === undefined) return 'JSON';
      return Object.fromEntries(
        Object.entries(schema.properties as Record<string, JsonSchema>).map(([field, each]) => [
          field,
          structureOf(each),
        ]),
      );
    default:
      return 'VARCHAR';
  }
}

/** Most lines of a large trial are of these types, so all have one table, `receipt_lines`, and are not in `lines`. */
const isReceipt = ({ name }: LineType) => name === 'sigil-shown' || name === 'sigil-change-shown';
const RECEIPT_TYPES = LINE_TYPES.filter(isReceipt);
const OTHER_TYPES = LINE_TYPES.filter((type) => !isReceipt(type));

/** To run once the table `lines` is there. */
export function lineViews(): string {
  return ['CREATE SCHEMA line;', ...OTHER_TYPES.map(lineView)].join('\n');
}

/** To run once the table `receipt_lines` is there. */
export function receiptViews(): string {
  return RECEIPT_TYPES.map(receiptView).join(';');
}

function receiptView({ name, fields }: LineType): string {
  const columns = Object.keys(fields).map(columnOf).join(', ');
  return `
    CREATE VIEW line.${viewOf(name)} AS
    SELECT trial, process, NULL::DOUBLE AS atMs, ${columns} FROM receipt_lines WHERE type = '${name}'`;
}

function lineView({ name, fields }: LineType): string {
  const columns = Object.keys(fields).map((field) => `, fields."${field}" AS ${columnOf(field)}`);
  const parsed = columns.length === 0 ? '' : `, json_transform(json, '${JSON.stringify(fields)}') AS fields`;
  return `
    CREATE VIEW line.${viewOf(name)} AS
    SELECT trial, process, atMs${columns.join('')}
    FROM (SELECT trial, process, atMs${parsed} FROM lines WHERE type = '${name}');`;
}

function viewOf(type: string): string {
  return type.replaceAll('-', '_');
}

/** A trial's number in its cell is `number`, as `trial` is its name. */
function columnOf(field: string): string {
  return `"${field === 'trial' ? 'number' : field}"`;
}

/** The tables of lines that are parsed already, as they are so many. */
const OWN_TABLES: Partial<Record<string, string>> = { typing: 'typing_lines' };

function lacksAny({ required }: LineType): string {
  return required.map((field) => `${columnOf(field)} IS NULL`).join(' OR ');
}

/**
 * `malformed_lines`: how many lines of a process are of no known type, or lack a field that their type must have: one row per
 * process and type that has such. What lines of another schema version must have, nobody here knows. To run once all other
 * views are there.
 */
export function malformedLinesView(): string {
  const names = LINE_TYPES.map(({ name }) => `'${name}'`);
  const incomplete = OTHER_TYPES.map((type) => {
    const table = OWN_TABLES[type.name] ?? `line.${viewOf(type.name)}`;
    return `
      UNION ALL
      SELECT trial, process, '${type.name}' FROM ${table} WHERE ${lacksAny(type)}`;
  });
  // One pass for all of them, as rows are millions.
  const receipts = RECEIPT_TYPES.map((type) => `(type = '${type.name}' AND (${lacksAny(type)}))`);
  return `
    CREATE VIEW malformed_lines AS
    SELECT trial, process, type, count(*)::INTEGER AS malformed
    FROM (
      SELECT trial, process, coalesce(type, 'unknown') AS type
      FROM lines
      WHERE type IS NULL OR type NOT IN (${names.join(', ')})${incomplete.join('')}
      UNION ALL
      SELECT trial, process, type::VARCHAR FROM receipt_lines WHERE ${receipts.join(' OR ')}
    ) ANTI JOIN foreign_versions USING (trial, process)
    GROUP BY ALL`;
}

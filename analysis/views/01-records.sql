-- Rows: `lines`: every line of the records as JSON, with its type and its instant, but for those of sigils shown and of what
--       became of them, which are most of all in a large trial (03-clocks.sql). The schema `line` then has a view per type, with the type's
--       fields as columns: `line.network`, `line.sigil_sent` (analysis/views/definitions.ts).
-- Input: the variable `record_files`, a list of paths or a glob, such as
--       SET VARIABLE record_files = 'results/smoke/2026-01-01T00-00-00Z/trials/*/records/*.ndjson.gz';
-- Macros: rules shared with the rest of the project are defined before this file, by analysis/views/definitions.ts:
--       `phase_number(phase)`: the order of phases, for those that begin at one instant, as after a warm-up of 0 s;
--       `bucket_ms()`: the length of a series' bucket; `enough_for(p, n)`: true if `n` samples are enough to show their
--       quantile `p`, that is, if a distribution-free 95 % interval for it exists at all (6 for a median, 59 for a 95th
--       percentile; David & Nagaraja 2003, "Order Statistics", section 7.1); `drift_rate()`, `wander_rate()`: the rates at
--       which clocks get worse; `schema_version()`: of records; `used_up_percent()`, `late_server_ms()`: the limits from
--       which a resource counts as used up, and a server as late; `framework_failure_codes()`: the codes of failures that
--       are the framework's; `prompt_response_ms()`, `soon_seen_ms()`: the limits within which "smooth" wants sigils to be
--       seen; and `concurrent_edit_ms()`: the greatest delay of a concurrent edit on its way back.
-- Units: as in results/formats/records.ts; an instant `…Ms` is on the clock of the process that wrote it.
-- Rule: a path `<trial>/records/<process>.ndjson.gz` tells the trial and the process, and processes of users are in the order of
--       their numbers, of which those from 1000 on have a digit more. The files are gone through twice,
--       so that no line has to be kept for what is made of it later. `atMs` of a `sigil-sent` line is when its last key
--       was sent.
CREATE MACRO trial_of(path) AS regexp_extract(path, '([^/]+)/records/[^/]+$', 1);
CREATE MACRO process_of(path) AS split_part(parse_filename(path), '.', 1);
CREATE TYPE trial_name AS ENUM (SELECT DISTINCT trial_of(file) FROM glob(getvariable('record_files')) ORDER BY ALL);
CREATE TYPE process_name AS ENUM (
  SELECT process_of(file) AS name
  FROM glob(getvariable('record_files'))
  GROUP BY name
  ORDER BY CASE WHEN name LIKE 'user-%' THEN length(name) ELSE 0 END, name
);

CREATE MACRO read_lines() AS TABLE
SELECT
  trial_of(filename)::trial_name AS trial,
  process_of(filename)::process_name AS process,
  json ->> '$.type' AS type,
  json::VARCHAR AS json
FROM read_ndjson_objects(getvariable('record_files'), filename = true, maximum_object_size = 1048576);

CREATE TABLE lines AS
SELECT trial, process, type, TRY_CAST(coalesce(json ->> '$.atMs', json ->> '$.sentMs') AS DOUBLE) AS atMs, json
FROM read_lines()
WHERE coalesce(type, '') NOT IN ('sigil-shown', 'sigil-change-shown');

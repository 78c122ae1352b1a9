-- What: the lines of the records, as written. `receipt_lines` holds the `sigil-shown` lines, which are most of all in a
--       large trial, `typing_lines` the `typing` lines, which are most of the rest; `lines` holds every other line, with
--       the columns of all types side by side, null where a type lacks one.
-- Input: the variable `record_files`, a list of paths or a glob, such as
--       SET VARIABLE record_files = 'results/smoke/2026-01-01T00-00-00Z/trials/*/records/*.ndjson.gz';
-- Macros: what the rest of the project rules too is defined before this file, by analysis/definitions.ts:
--       `phase_number(phase)`: which phase is first where one takes no time, such as a warm-up of 0 s, and the next begins
--       at the same instant; `bucket_ms()`: how long a bucket of a series is; `enough_for(p, n)`: whether `n` samples are
--       enough to show their quantile `p`, that is, whether a distribution-free 95 % interval for it exists at all (6 for a
--       median, 59 for a 95th percentile; David & Nagaraja 2003, "Order Statistics", section 7.1); `drift_rate()`, `wander_rate()`: how fast clocks get worse; `readable_versions()`: of records;
--       `framework_faults()`: the codes of faults that are the framework's;
--       `prompt_response_ms()`, `soon_seen_ms()`: within what "smooth" wants sigils to be seen; `concurrent_edit_ms()`: how
--       late a concurrent edit may come back; and
--       `bound_of(figure)`: the bound of "fully functional" on a figure, null where there is none.
-- Units: as in results/formats/records.ts; an instant `…Ms` is on the clock of the process that wrote it.
-- Rule: a path `<trial>/records/<process>.ndjson.gz` tells the trial and the process. Three passes over the
--       files give the frequent types only the columns that they have; one pass into one table takes three times the
--       memory. A trial's number in its cell is `number` here, as `trial` is its name.
-- Source: results/formats/records.ts.
CREATE MACRO trial_of(path) AS regexp_extract(path, '([^/\\]+)[/\\]records[/\\][^/\\]+$', 1);
CREATE MACRO process_of(path) AS split_part(parse_filename(path), '.', 1);
CREATE TYPE trial_name AS ENUM (SELECT DISTINCT trial_of(file) FROM glob(getvariable('record_files')) ORDER BY ALL);
CREATE TYPE process_name AS ENUM (SELECT DISTINCT process_of(file) FROM glob(getvariable('record_files')) ORDER BY ALL);

CREATE TABLE receipt_lines AS
SELECT
  trial_of(filename)::trial_name AS trial,
  process_of(filename)::process_name AS process,
  sigil,
  shownMs
FROM read_ndjson(
  getvariable('record_files'),
  filename = true,
  maximum_object_size = 1048576,
  columns = {type: 'VARCHAR', sigil: 'VARCHAR', shownMs: 'DOUBLE'}
)
WHERE type = 'sigil-shown';

CREATE TABLE typing_lines AS
SELECT
  trial_of(filename)::trial_name AS trial,
  process_of(filename)::process_name AS process,
  * EXCLUDE (filename, type)
FROM read_ndjson(
  getvariable('record_files'),
  filename = true,
  maximum_object_size = 1048576,
  columns = {
    type: 'VARCHAR', atMs: 'DOUBLE', offered: 'INTEGER', performed: 'INTEGER', skipped: 'INTEGER',
    sigilsSkipped: 'INTEGER', formats: 'INTEGER',
    insertedCharacters: 'BIGINT', largestEdit: 'BIGINT', lagMs: 'DOUBLE[]', driverLagMs: 'DOUBLE[]'
  }
)
WHERE type = 'typing';

CHECKPOINT;

SET threads = 1;
CREATE TABLE lines AS
SELECT
  trial_of(filename)::trial_name AS trial,
  process_of(filename)::process_name AS process,
  * EXCLUDE (filename, trial),
  trial AS number
FROM read_ndjson(
  getvariable('record_files'),
  filename = true,
  maximum_object_size = 1048576,
  columns = {
    type: 'VARCHAR', atMs: 'DOUBLE',
    -- process, trial
    schemaVersion: 'INTEGER', role: 'VARCHAR', "user": 'INTEGER', framework: 'VARCHAR', frameworkVersion: 'VARCHAR',
    mode: 'VARCHAR', chrome: 'VARCHAR', cell: 'VARCHAR', users: 'INTEGER', trial: 'INTEGER', seed: 'BIGINT',
    processes: 'VARCHAR[]', writers: 'INTEGER', probes: 'INTEGER', crowd: 'VARCHAR', clockErrorLimitMs: 'DOUBLE',
    -- phase, convergence, replay, fault
    phase: 'VARCHAR', proof: 'VARCHAR', code: 'VARCHAR', message: 'VARCHAR', problem: 'VARCHAR',
    -- clock
    offsetMs: 'DOUBLE', errorMs: 'DOUBLE',
    -- sigil-sent, played
    sigil: 'VARCHAR', dueMs: 'DOUBLE', sentMs: 'DOUBLE', lateMs: 'DOUBLE[]',
    -- long-task, document, network
    durationMs: 'DOUBLE', characters: 'BIGINT', sentBytes: 'BIGINT', receivedBytes: 'BIGINT', sentMessages: 'BIGINT',
    receivedMessages: 'BIGINT',
    -- key-latency, page-errors
    keys: 'INTEGER', slowMs: 'DOUBLE[]', slowInteractionMs: 'DOUBLE[]', errors: 'BIGINT',
    -- loop-delay, delay-line, page-memory, compression
    delays: 'DOUBLE[][]', heapBytes: 'BIGINT', wasmBytes: 'BIGINT',
    deflatedSentBytes: 'BIGINT', deflatedReceivedBytes: 'BIGINT',
    -- withheld
    stealMs: 'DOUBLE', throttledMs: 'DOUBLE',
    -- resources
    "of": 'VARCHAR', host: 'VARCHAR', cores: 'INTEGER', cpuMs: 'DOUBLE', memoryBytes: 'BIGINT',
    -- settled
    modelDigest: 'VARCHAR', shownModelDigest: 'VARCHAR', editorDigest: 'VARCHAR', editorTextDigest: 'VARCHAR',
    screenTextDigest: 'VARCHAR',
    insertedCharacters: 'BIGINT', deletedCharacters: 'BIGINT', typedCharacters: 'BIGINT',
    savedStateBytes: 'BIGINT', quillStateBytes: 'BIGINT',
    -- account
    deletedOfOthersCharacters: 'BIGINT', takenCharacters: 'BIGINT', restoredCharacters: 'BIGINT',
    restoredByChanceCharacters: 'BIGINT',
    formattedCharacters: 'BIGINT', reformattedCharacters: 'BIGINT',
    typedHash: 'BIGINT', insertedHash: 'BIGINT', claimedCharacters: 'BIGINT', claimedHash: 'BIGINT', documentHash: 'BIGINT',
    -- own-sigils
    sigils: 'STRUCT(sigil VARCHAR, brokenAfterMs DOUBLE)[]',
    -- copies
    savedDigest: 'VARCHAR', lateDigest: 'VARCHAR', lateProblem: 'VARCHAR'
  }
)
WHERE coalesce(type NOT IN ('sigil-shown', 'typing'), true);
RESET threads;
CHECKPOINT;

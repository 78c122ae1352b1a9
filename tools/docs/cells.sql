-- The tables that pages are written from, each by a query in a comment:
--
-- cells          a row for each cell of a kept run, without those that are withdrawn. Its columns are the parameters and figures of
--                summary.json (serverCpuPercent, endToEndLatencyMs.p50, ci95."localLatencyMs.p50".low, faults[1].agreeMs.mean), and:
--                run         the file's name in results/measured; or the experiment's, for blocks of a campaign that are pooled
--                block       number of a single block, else NULL
--                experiment  startedAt  scenario  plan.durations  plan.batching  plan.faults
-- wanted         a row for each entry of a campaign, in the order of nr: its run, campaign, part, entry and frameworks; how many blocks
--                are wanted, and how many are kept
-- ratios         of pooled blocks, a headline figure of `framework` ÷ that of `reference`, paired by block, with the 95 % interval
-- crowd_marks    what stands behind a figure beside a played crowd, unless it was shown to equal that beside live users; NULL: it was
--                shown to differ
-- paper          the Collabs paper's tables: the value of a figure in a sheet; `here` names the framework in this project
-- benches        figures that benches printed: of what, in which column
-- capabilities   what a program found of a library
--
-- Names of columns are in either case.

-- The figure of the one cell with these properties: one(applyMs, engine = 'loro' AND observe = 'edits').
CREATE MACRO one(figure, condition) AS CASE count(figure) FILTER (condition)
  WHEN 1 THEN max(figure) FILTER (condition)
  ELSE error('not one cell, but ' || count(figure) FILTER (condition)) END;

-- Where several frameworks are named, they come in the order of the list.
CREATE MACRO in_turn(names, name) AS list_position(names, name);

-- Two digits that count: 0.15, 5.2, 590.
CREATE MACRO two_digits(value) AS format('{:g}', round(value::DOUBLE, 1 - floor(log10(abs(value)))::INTEGER));

-- Two digits, or all before the point.
CREATE MACRO in_short(value) AS
  CASE WHEN value = 0 THEN '0' WHEN value < 10 THEN two_digits(value) ELSE format('{:.0f}', round(value::DOUBLE)) END;

-- A figure with its interval, if it has one.
CREATE MACRO within(value, ci95) AS
  two_digits(value) || coalesce(' (' || two_digits(ci95.low) || '–' || two_digits(ci95.high) || ')', '');

CREATE MACRO least_to_greatest(least, greatest) AS
  CASE WHEN least = greatest THEN least::VARCHAR ELSE least || '–' || greatest END;

-- Behind a latency that was measured while the machine was busy.
CREATE MACRO busy_mark(machine_percent) AS CASE WHEN machine_percent > busy_machine_percent() THEN '!' ELSE '' END;

-- NULL if the figure is not to be printed.
CREATE MACRO crowd_mark(name, late_ms, which) AS CASE WHEN late_ms IS NULL THEN ''
  ELSE (SELECT mark FROM crowd_marks WHERE crowd_marks.framework = name AND crowd_marks.figure = which) END;

-- The users of a cell, as far as they held.
CREATE MACRO tried(users, held) AS
  CASE held WHEN true THEN users::VARCHAR WHEN false THEN 'not ' || users ELSE users || ' ?' END;

-- How long senders gather edits, if that is part of the latency.
CREATE MACRO batch(batching, users, latency, without) AS
  CASE WHEN users >= batching.sendFromUsers AND latency > without THEN two_digits(batching.sendMs / 1000) || 's'
    WHEN users IS NOT NULL THEN 'no' END;

-- The cells that campaigns want, beside those that were measured; `n` blocks of a cell count.
CREATE MACRO campaign_cells() AS TABLE
  SELECT wanted.*, cells.* EXCLUDE (run, framework), coalesce(validTrials, 0) AS n
  FROM (FROM wanted, unnest(coalesce(frameworks, [NULL])) WITH ORDINALITY AS asked(framework, place)) AS wanted
  LEFT JOIN (FROM cells WHERE validTrials > 0) AS cells
    ON cells.run = wanted.run AND cells.framework IS NOT DISTINCT FROM wanted.framework;

-- The most people that a campaign tried, and what they felt, a row for each framework of each entry.
CREATE MACRO carried() AS TABLE
  SELECT
    part, entry, framework AS library,
    CASE tier WHEN 'library' THEN 'relay' WHEN 'deployed' THEN 'own' END AS tier,
    tried(users, fullyFunctional) AS tried,
    batch(plan.batching, users, endToEndLatencyMs.p50, endToEndLessBatchMs.p50) AS batch,
    within(endToEndLatencyMs.p50, ci95."endToEndLatencyMs.p50") || busy_mark(machineCpuPercent)
      || crowd_mark(framework, crowdLateMs, 'endToEndLatencyMs.p50') AS "latency, ms",
    within(userCpuPercent, ci95.userCpuPercent) || crowd_mark(framework, crowdLateMs, 'userCpuPercent') AS "CPU, %",
    n || CASE WHEN n < blocks THEN '/' || blocks ELSE '' END AS n
  FROM campaign_cells() ORDER BY nr, place;

-- docs/choose.md's answers. Each of `parts` is a library with the names of its frameworks, over the relay and with the own server; the
-- one that was among a crowd; and the engine that saved its documents, with the names of its encodings.
CREATE MACRO choose(parts) AS TABLE
  WITH libraries AS (SELECT *, coalesce(own, relay) AS whole FROM (SELECT unnest(parts, recursive := true))),
  frameworks AS (
    SELECT library, 'over one relay' AS via, relay AS framework FROM libraries
    UNION ALL SELECT library, 'own server', own FROM libraries),
  titles AS (SELECT DISTINCT library, title, version FROM capabilities),
  crowd AS (
    FROM campaign_cells() JOIN libraries ON framework = crowd WHERE part = 'hundred' AND entry NOT LIKE '%-human'),
  compared AS (
    SELECT *, 3 + 4 * (entry = 'long')::INTEGER + 2 * (via = 'own server')::INTEGER AS line,
      CASE entry WHEN 'young' THEN '750' ELSE '50,000' END || ' characters, ' || via AS document
    FROM campaign_cells() JOIN frameworks USING (framework) WHERE part = 'comparison' AND mode = 'optquill'),
  saved AS (
    SELECT *, CASE encoding WHEN whole_encoding THEN 'with its history' ELSE 'without its history' END AS what
    FROM campaign_cells() JOIN libraries USING (engine)
    WHERE entry = 'saved' AND state = 'automerge-paper' AND encoding IN (whole_encoding, text_encoding)),
  faulty AS (
    SELECT *, faults[1].lostCharacters.mean AS lost, faults[1].usersGone.mean AS gone
    FROM cells JOIN libraries ON framework = whole WHERE experiment IN ('restart', 'offline')),
  answers AS (
    SELECT 1 AS line, 'People in one document, 2 of them in Chrome: most that were tried' AS question, library,
      tried(users, fullyFunctional) AS answer, 'data/results.md#in-blocks' AS link, n, blocks
    FROM crowd
    UNION ALL
    SELECT 2, 'A page’s CPU among many people, %', library,
      in_short(userCpuPercent) || crowd_mark(framework, crowdLateMs, 'userCpuPercent') || ' with ' || users,
      'data/results.md#in-blocks', n, blocks
    FROM crowd
    UNION ALL
    SELECT line, '4 people in Quill, ' || document || ': key to others’ screens, p50 / p95, ms', library,
      in_short(endToEndLatencyMs.p50) || busy_mark(machineCpuPercent) || ' / '
        || in_short(endToEndLatencyMs.p95) || busy_mark(machineCpuPercent)
        || CASE WHEN fullyFunctional IS NULL THEN ' ?' ELSE '' END,
      'data/measurements.md#in-blocks', n, blocks
    FROM compared
    UNION ALL
    SELECT line + 1, 'The same p50 ÷ ' || title || '’s in each block (95 % interval)', compared.library, ratio,
      'data/measurements.md#in-blocks', n, blocks
    FROM compared JOIN ratios USING (run, mode, users, framework)
      JOIN frameworks AS base ON base.library = parts[1].library AND base.via = compared.via AND base.framework = reference
      JOIN titles ON titles.library = base.library
    WHERE framework <> reference AND figure = 'endToEndLatencyMs.p50'
    UNION ALL
    SELECT CASE experiment WHEN 'restart' THEN 11 ELSE 12 END,
      CASE experiment WHEN 'restart' THEN 'The server restarts with nothing on disk' ELSE '2 of 4 people are offline for 20 s' END,
      library,
      CASE WHEN lost = 0 AND gone = 0 THEN 'nothing lost'
        ELSE in_short(lost) || ' characters lost, ' || in_short(gone) || ' users alone' END,
      CASE experiment WHEN 'restart' THEN 'data/resilience.md#the-server-restarts'
        ELSE 'data/resilience.md#two-of-four-users-go-offline' END,
      validTrials, NULL
    FROM faulty
    UNION ALL
    SELECT CASE what WHEN 'with its history' THEN 13 ELSE 15 END, 'Open a saved document of 260,000 edits, ' || what || ', ms',
      library, in_short(loadMs), 'data/results-documents.md#saved-documents', n, blocks
    FROM saved
    UNION ALL
    SELECT CASE what WHEN 'with its history' THEN 14 ELSE 16 END, 'Its size, ' || what || ', KiB', library,
      in_short(savedKiB), 'data/results-documents.md#saved-documents', n, blocks
    FROM saved
    UNION ALL
    SELECT 17, 'A newcomer can type, after 10,000 edits, by the library’s own way, ms', library,
      in_short(typableMs.p50), 'data/results-documents.md#a-newcomer', validTrials, NULL
    FROM cells JOIN libraries ON framework = whole AND (own IS NOT NULL OR way = 'state')
    WHERE experiment = 'late-join' AND edits = 10000
    UNION ALL
    SELECT 18, 'Rich text: of 5 hard cases, held whole', library, count(*) FILTER (mark = 'yes'), 'data/capabilities.md',
      NULL, NULL
    FROM capabilities
    WHERE id IN ('bold-at-its-end', 'insert-within-bold', 'overlapping-formats', 'bold-against-unbold', 'link-edges')
    GROUP BY library
    UNION ALL
    SELECT 18 + in_turn(['offline-merge', 'history', 'undo', 'presence', 'opaque-server'], id),
      CASE id WHEN 'offline-merge' THEN 'Edits made offline outlive a closed tab' WHEN 'history' THEN 'Its history can be read'
        WHEN 'undo' THEN 'Undo of one’s own edits' WHEN 'presence' THEN 'Cursors of the others'
        WHEN 'opaque-server' THEN 'The server may be blind (encryption end to end)' END,
      library, CASE mark WHEN 'yes' THEN '✓' WHEN 'partly' THEN '½' WHEN 'no' THEN '✗' END, '../' || program, NULL, NULL
    FROM capabilities WHERE id IN ('offline-merge', 'history', 'undo', 'presence', 'opaque-server'))
  SELECT line, question, title || ' ' || version AS library, '[' || answer || '](' || link || ')' AS answer,
    CASE WHEN line = 18 THEN 'a program each' WHEN line > 18 THEN 'a program' ELSE
      least_to_greatest(min(n) OVER row, max(n) OVER row)
        || CASE WHEN bool_or(n < blocks) OVER row THEN ' of ' || max(blocks) OVER row ELSE '' END
        || CASE WHEN max(blocks) OVER row IS NOT NULL THEN ' blocks' WHEN max(n) OVER row = 1 THEN ' trial' ELSE ' trials' END END
      AS "rests on"
  FROM answers JOIN titles USING (library) JOIN libraries USING (library)
  WINDOW row AS (PARTITION BY line)
  ORDER BY line, in_turn([part.library FOR part IN parts], library);

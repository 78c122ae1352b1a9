-- The tables that pages are written from, each by a query in a comment:
--
-- cells          a row for each cell of a kept run, without those that are withdrawn. Its columns are the parameters and figures of
--                summary.json (serverCpuPercent, endToEndLatencyMs.p50, ci95."localLatencyMs.p50".low, faults[1].agreeMs.mean), and:
--                run         the file's name in results/measured; or the experiment's, for blocks of a campaign that are pooled
--                machine     of a ladder: such as `2 cores of AMD EPYC, 490/976 turns/µs`
--                messages    in how many trials each stands, by its code: messages."ended-late"
--                experiment  startedAt  scenario  plan.durations  plan.faults
-- wanted         a row for each entry of a campaign, in the order of nr: its run, campaign, part and entry; how many blocks are wanted, and
--                how many are kept
-- climbs         how far frameworks climbed the ladders of campaigns (tools/docs/climbs.ts), a row for each machine, in the order of nr
-- ratios         of pooled blocks, a headline figure of `framework` ÷ that of `reference`, paired by block, with the 95 % interval
-- crowd_marks    what stands behind a figure beside a played crowd, unless it was shown to equal that beside live users; NULL: it was
--                shown to differ
-- kept           cells of new documents whose server, store or power was struck: edits typed, lost, lost of those acknowledged and of those that
--                others had seen, and seconds of typing at risk, as means of the kills. isAllLost: in one kill at least nothing was left, so that
--                more seconds may be at risk. clients: how many were left meanwhile
-- backings       cells of runs with stores or several servers: CPU in % of a core, bytes for each character typed, latencies at one server
--                and between servers. mode: without them. storeCpu and brokerCpu are 0 if there is no such program beside the servers, and
--                NULL if nobody could read it
-- paper          the Collabs paper's tables: the value of a figure in a sheet; `here` names the framework in this project
-- benches        figures that benches printed: of what, in which column
-- capabilities   what a program found of a library
--
-- Names of columns are in either case.

-- The figure of the one cell with these properties, cells without it counted: one(applyMs, engine = 'loro' AND observe = 'edits').
CREATE MACRO one(figure, condition) AS CASE count(*) FILTER (condition)
  WHEN 1 THEN max(figure) FILTER (condition)
  ELSE error('not one cell, but ' || count(*) FILTER (condition)) END;

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

CREATE MACRO tier_name(tier) AS CASE tier WHEN 'library' THEN 'relay' WHEN 'deployed' THEN 'own' END;

-- Edits lost that were acknowledged / that others had seen, of those typed; NULL if nothing was struck.
CREATE MACRO lost_edits(kills, acknowledged, seen, typed) AS
  CASE WHEN kills > 0 THEN coalesce(in_short(acknowledged), 'not told') || ' / ' || in_short(seen) || ' of ' || in_short(typed) END;

-- Losses by a crash with each server of `parts` (its name, its framework, the store behind it), what keeping costs, and several servers:
-- texts, NULL if nobody measured it, with how many kills or trials they rest on. Of several runs the newest answers, and of its cells that
-- with the most valid trials, and one server beside it, then with the most users; a document that split with any number of them is told. The
-- costs of a store are told beside memory in the same run. Several servers are told over the same store, else in memory, however old.
CREATE MACRO backed(parts) AS TABLE
  WITH named AS (SELECT unnest(parts, recursive := true)),
  newest_kills AS (
    FROM kept JOIN named USING (framework, store)
    WHERE clients = 'none' AND kills > 0
    QUALIFY row_number() OVER (PARTITION BY server, struck ORDER BY startedAt DESC) = 1),
  with_store AS (
    SELECT server, written, grown, backings.validTrials AS storeTrials,
      in_short(backings.cpu + backings.storeCpu) || coalesce(' (' || in_short(base.cpu) || ')', '') || ' with ' || users AS storeCpu
    FROM backings JOIN named USING (framework, store)
      JOIN (SELECT run, framework, mode, users, servers, cpu FROM backings WHERE store = 'memory' AND cpu IS NOT NULL) AS base
        USING (run, framework, mode, users, servers)
    WHERE servers = 1 AND backings.validTrials > 0
    QUALIFY row_number() OVER (PARTITION BY server ORDER BY backings.startedAt DESC, backings.validTrials DESC, users DESC) = 1),
  with_servers AS (
    SELECT server, backings.validTrials AS serverValid, sameMs, otherMs,
      -- A trial that the machine spoilt may end without agreement, too.
      sum(failedTrials) FILTER (NOT converged) OVER (PARTITION BY server, backings.run, backings.store) AS splits,
      CASE WHEN splits > 0 THEN 'no' WHEN backings.validTrials > 0 THEN 'yes' END AS isOne,
      CASE WHEN splits > 0 THEN splits ELSE backings.validTrials END AS oneTrials,
      in_short(backings.cpu + brokerCpu) || coalesce(' (' || in_short(base.cpu) || ')', '') || ' with ' || users
        AS serversCpu
    FROM backings JOIN (SELECT server, framework, store AS own FROM named) USING (framework)
      LEFT JOIN (SELECT run, framework, mode, users, store, cpu FROM backings WHERE servers = 1) AS base
        USING (run, framework, mode, users, store)
    WHERE backings.servers = 3
    QUALIFY row_number() OVER (
      PARTITION BY server
      ORDER BY backings.store = own DESC, backings.store = 'memory' DESC, backings.startedAt DESC,
        backings.validTrials DESC, base.cpu IS NOT NULL DESC, users DESC, backings.mode) = 1)
  SELECT
    server, store,
    lost_edits(crash.kills, crash.lostAcknowledged, crash.lostSeen, crash.typed) AS lostByCrash,
    CASE WHEN crash.isAllLost THEN '≥ ' ELSE '' END || in_short(crash.atRiskSeconds) AS lostSeconds, crash.kills AS kills,
    lost_edits(outage.kills, outage.lostAcknowledged, outage.lostSeen, outage.typed) AS lostByOutage, outage.kills AS outages,
    storeCpu, in_short(written) AS written, in_short(grown) AS grown, storeTrials,
    isOne, serversCpu, in_short(sameMs) || ' / ' || in_short(otherMs) AS serversMs, oneTrials, serverValid
  FROM named
    LEFT JOIN (FROM newest_kills WHERE struck = 'server') AS crash USING (server, store)
    LEFT JOIN (FROM newest_kills WHERE struck = 'power') AS outage USING (server, store)
    LEFT JOIN with_store USING (server) LEFT JOIN with_servers USING (server);

-- docs/data/kept.md's answers, for the same parts.
CREATE MACRO keeping(parts) AS TABLE
  WITH answers AS (
    SELECT server, store, unnest([
      {line: 1, question: 'A crash loses: edits acknowledged / seen, of those typed', answer: lostByCrash, n: kills},
      {line: 2, question: 'A crash loses: seconds of typing', answer: lostSeconds, n: kills},
      {line: 3, question: 'A power loss takes: edits acknowledged / seen, of those typed', answer: lostByOutage, n: outages},
      {line: 4, question: 'Keeping costs: CPU of server and store, % of a core (in memory), with so many people', answer: storeCpu, n: storeTrials},
      {line: 5, question: 'Keeping costs: bytes written for each character typed', answer: written, n: storeTrials},
      {line: 6, question: 'Keeping costs: bytes on disk for each character typed', answer: grown, n: storeTrials},
      {line: 7, question: 'Several servers: three hold one document', answer: isOne, n: oneTrials},
      {line: 8, question: 'Several servers: CPU of three and their broker, % of a core (of one server), with so many people', answer: serversCpu,
        n: serverValid},
      {line: 9, question: 'Several servers: key to others’ screens at one server / between servers, p50, ms', answer: serversMs,
        n: serverValid}
    ], recursive := true)
    FROM backed(parts))
  SELECT line, question, server || ' over ' || store AS heading, coalesce(answer, 'not measured') AS answer,
    coalesce(
      least_to_greatest(min(n) FILTER (answer IS NOT NULL) OVER answered, max(n) FILTER (answer IS NOT NULL) OVER answered)
        || CASE WHEN line <= 3 THEN ' kill' ELSE ' trial' END
        || CASE WHEN max(n) FILTER (answer IS NOT NULL) OVER answered = 1 THEN '' ELSE 's' END,
      '–') AS "rests on"
  FROM answers
  WINDOW answered AS (PARTITION BY line)
  ORDER BY line, in_turn([part.server FOR part IN parts], server);

-- The text of a figure with the one and with the other of two counts of users.
CREATE MACRO at_both(users, counts, text, gap) AS
  coalesce(max(text) FILTER (users = counts[1]), '–') || gap || coalesce(max(text) FILTER (users = counts[2]), '–');

-- How many people each framework carried, a row for each climb; with what differs between sittings, or in short. Figures are with 16 and
-- 48 users; if senders gather their edits, which they do from 64 on, with 64 and 112.
CREATE MACRO people(in_full) AS TABLE
  WITH measured AS (
    SELECT climbs.* REPLACE (CASE WHEN in_full THEN people ELSE in_short END AS people),
      cells.users, CASE WHEN climbs.library = climbs.framework THEN [16, 48] ELSE [64, 112] END AS counts,
      CASE WHEN in_full THEN ' / ' ELSE '/' END AS gap,
      CASE WHEN in_full AND validTrials < sittings THEN ', in ' || validTrials ELSE '' END AS few,
      within(endToEndLatencyMs.p50, CASE WHEN in_full THEN ci95."endToEndLatencyMs.p50" END) || busy_mark(machineCpuPercent)
        || crowd_mark(climbs.framework, crowdLateMs, 'endToEndLatencyMs.p50') || few AS wait,
      within(userCpuPercent, CASE WHEN in_full THEN ci95.userCpuPercent END)
        || crowd_mark(climbs.framework, crowdLateMs, 'userCpuPercent') || few AS page,
      within(serverCpuPercent, CASE WHEN in_full THEN ci95.serverCpuPercent END)
        || crowd_mark(climbs.framework, crowdLateMs, 'serverCpuPercent') || few AS server
    FROM climbs LEFT JOIN cells ON cells.run = climbs.run AND cells.machine = climbs.machine
      AND cells.framework = climbs.framework AND validTrials > 0)
  SELECT nr, run, machine, library, tier_name(tier) AS tier, people, coalesce(ended_by, '–') AS "ended by",
    coalesce(max(wait) FILTER (users = counts[2]), '–') AS "wait, ms", at_both(users, counts, page, any_value(gap)) AS "page, %",
    at_both(users, counts, server, any_value(gap)) AS "server, %", sittings AS n, code
  FROM measured GROUP BY nr, run, machine, library, tier, people, ended_by, sittings, code ORDER BY nr;

-- docs/choose.md's answers. Each of `parts` is a library with the names of its frameworks, over the relay and with the own server; the
-- one that was among a crowd; the one that kept documents, and its store; and the engine that saved its documents, with the names of its
-- encodings.
CREATE MACRO choose(parts) AS TABLE
  WITH libraries AS (SELECT *, coalesce(own, relay) AS whole FROM (SELECT unnest(parts, recursive := true))),
  frameworks AS (
    SELECT library, 'over one relay' AS via, relay AS framework FROM libraries
    UNION ALL SELECT library, 'own server', own FROM libraries),
  titles AS (SELECT DISTINCT library, title, version FROM capabilities),
  climbed AS (
    SELECT libraries.library, people, most, sittings, climbs.framework, userCpuPercent, crowdLateMs,
      (SELECT max(blocks) FROM wanted WHERE wanted.run = climbs.run) AS blocks
    FROM climbs JOIN libraries ON framework = crowd
    LEFT JOIN cells ON cells.run = climbs.run AND cells.machine = climbs.machine
      AND cells.framework = climbs.framework AND users = most
    WHERE climbs.run = 'people-each' AND climbs.machine = (SELECT machine FROM climbs WHERE nr = 0)),
  compared AS (
    SELECT *, 3 + 4 * (entry = 'long')::INTEGER + 2 * (via = 'own server')::INTEGER AS line,
      CASE entry WHEN 'young' THEN '750' ELSE '50,000' END || ' characters, ' || via AS document
    FROM wanted JOIN cells USING (run) JOIN frameworks USING (framework)
    WHERE part = 'comparison' AND mode = 'optquill' AND validTrials > 0),
  saved AS (
    SELECT *, CASE encoding WHEN whole_encoding THEN 'with its history' ELSE 'without its history' END AS what
    FROM wanted JOIN cells USING (run) JOIN libraries USING (engine)
    WHERE entry = 'saved' AND state = 'automerge-paper' AND validTrials > 0 AND encoding IN (whole_encoding, text_encoding)),
  faulty AS (
    SELECT *, faults[1].lostCharacters.mean AS lost, faults[1].usersGone.mean AS gone
    FROM cells JOIN libraries ON framework = whole WHERE experiment IN ('restart', 'offline')),
  answers AS (
    SELECT 1 AS line, 'People in one document, 2 of them in Chrome: the most that held' AS question, library, people AS answer,
      'data/results.md#in-blocks' AS link, sittings AS n, blocks
    FROM climbed
    UNION ALL
    SELECT 2, 'A page’s CPU among so many, %', library,
      in_short(userCpuPercent) || crowd_mark(framework, crowdLateMs, 'userCpuPercent') || ' with ' || most,
      'data/results.md#in-blocks', sittings, blocks
    FROM climbed
    UNION ALL
    SELECT line, '4 people in Quill, ' || document || ': key to others’ screens, p50 / p95, ms', library,
      in_short(endToEndLatencyMs.p50) || busy_mark(machineCpuPercent) || ' / '
        || in_short(endToEndLatencyMs.p95) || busy_mark(machineCpuPercent)
        || CASE WHEN fullyFunctional IS NULL THEN ' ?' ELSE '' END,
      'data/measurements.md#in-blocks', validTrials, blocks
    FROM compared
    UNION ALL
    SELECT line + 1, 'The same p50 ÷ ' || title || '’s in each block (95 % interval)', compared.library, ratio,
      'data/measurements.md#in-blocks', validTrials, blocks
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
    SELECT line, question, server, coalesce(answer, 'not measured'), CASE WHEN answer IS NOT NULL THEN 'data/kept.md' END,
      CASE WHEN answer IS NOT NULL THEN n END, NULL
    FROM (
      SELECT server, unnest([
        {line: 12.1, question: 'A crash of its server loses: edits acknowledged / seen, of those typed', answer: lostByCrash, n: kills},
        {line: 12.2, question: 'Keeping costs: CPU, % of a core (in memory)', answer: storeCpu, n: storeTrials},
        {line: 12.3, question: 'Three servers: CPU, % of a core (of one), with so many people', answer: CASE isOne WHEN 'no' THEN 'they split' ELSE serversCpu END,
          n: oneTrials}
      ], recursive := true)
      FROM backed([{server: part.library, framework: part.keeps, store: part.store} FOR part IN parts]))
    UNION ALL
    SELECT CASE what WHEN 'with its history' THEN 13 ELSE 15 END, 'Open a saved document of 260,000 edits, ' || what || ', ms',
      library, in_short(loadMs), 'data/results-documents.md#saved-documents', validTrials, blocks
    FROM saved
    UNION ALL
    SELECT CASE what WHEN 'with its history' THEN 14 ELSE 16 END, 'Its size, ' || what || ', KiB', library,
      in_short(savedKiB), 'data/results-documents.md#saved-documents', validTrials, blocks
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
  SELECT line, question, title || ' ' || version AS library, coalesce('[' || answer || '](' || link || ')', answer) AS answer,
    CASE WHEN line = 18 THEN 'a program each' WHEN line > 18 THEN 'a program' ELSE
      least_to_greatest(min(n) OVER row, max(n) OVER row)
        || CASE WHEN bool_or(n < blocks) OVER row THEN ' of ' || max(blocks) OVER row ELSE '' END
        || CASE WHEN max(blocks) OVER row IS NOT NULL THEN ' blocks' WHEN max(n) OVER row = 1 THEN ' trial' ELSE ' trials' END END
      AS "rests on"
  FROM answers JOIN titles USING (library) JOIN libraries USING (library)
  WINDOW row AS (PARTITION BY line)
  ORDER BY line, in_turn([part.library FOR part IN parts], library);

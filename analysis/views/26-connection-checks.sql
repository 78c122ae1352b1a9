-- Rows: `reconnections`: users whose connection to the server broke and came back, one row each; `page_errors`: users with
--       errors in their page that nothing there caught; `unknown_servers`: trials with a server of which nothing is known.
-- Units: `times`, `errors`: how often.
-- Rule: errors are counted over the whole trial, with the first one's message. Nothing is known of a server that left no
--       record (a service outside, or a lost record), or none with instants that can be placed: its clock was never measured.
-- Source: `reconnected` and `page-errors` lines; `processes`, `clocks`.
CREATE VIEW reconnections AS
SELECT trial, process, count(*)::INTEGER AS times FROM line.reconnected GROUP BY ALL;

CREATE VIEW page_errors AS
SELECT trial, process, max(errors) AS errors, arg_max(message, errors) AS message
FROM line.page_errors
GROUP BY ALL;

CREATE VIEW unknown_servers AS
SELECT trial FROM whole_trials
  ANTI JOIN (SELECT trial FROM processes JOIN clocks USING (trial, process) WHERE role = 'server') USING (trial);

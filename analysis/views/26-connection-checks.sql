-- What: `reconnections`: users whose connection to the server broke and came back, one row each; `page_errors`: users in
--       whose page something went wrong that nothing there caught; `unknown_servers`: trials of whose server nothing can
--       be said.
-- Units: `times`, `errors`: how often.
-- Rule: errors are counted over the whole trial, with the first one's message. Of a server nothing can be said where it left no record (a service outside, or a record that was lost), or none
--       whose instants can be placed, as its clock was never measured.
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

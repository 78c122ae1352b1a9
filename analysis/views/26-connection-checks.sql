-- What: `reconnections`: users whose connection to the server broke and came back, one row each; `unknown_servers`: trials
--       of whose server nothing can be said.
-- Units: `times`: how often.
-- Rule: of a server nothing can be said where it left no record (a service outside, or a record that was lost), or none
--       whose instants can be placed, as its clock was never measured.
-- Source: `reconnected` lines; `processes`, `clocks`.
CREATE VIEW reconnections AS
SELECT trial, process, count(*)::INTEGER AS times FROM lines WHERE type = 'reconnected' GROUP BY ALL;

CREATE VIEW unknown_servers AS
SELECT trial FROM whole_trials
  ANTI JOIN (SELECT trial FROM processes JOIN clocks USING (trial, process) WHERE role = 'server') USING (trial);

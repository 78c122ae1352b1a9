-- Rows: `document_figures`: of the trials of document scenarios, each figure, one row per trial and figure.
-- Units: as the figure's name says (analysis/documents/).
-- Rule: as written; `cell` holds the parameters that tell its cell from others, as JSON: `cell ->> '$.engine'`.
-- Source: `subject` and `figure` lines.
CREATE VIEW document_figures AS
SELECT trial, subject."of" AS cell, subject.version, figure, value
FROM line.figure
JOIN line.subject USING (trial);

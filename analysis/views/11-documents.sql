-- Rows: the document as each user held it when typing had stopped, one row per user.
-- Units: characters (UTF-16 units, as Quill counts); KiB (2^10 bytes): the framework's saved state, and Quill's own
--        content as JSON beside it.
CREATE VIEW documents AS
SELECT trial, process, characters, savedStateBytes / 1024 AS savedStateKiB, quillStateBytes / 1024 AS quillStateKiB
FROM line.settled;

-- Rows: `document_figures`: of the trials of document scenarios, each figure, one row per trial and figure.
-- Units: as the figure's name says (analysis/scenarios/).
-- Rule: as written; `cell` holds the parameters that tell its cell from others, as JSON: `cell ->> '$.engine'`.
CREATE VIEW document_figures AS
SELECT trial, subject."of" AS cell, subject.version, figure, value
FROM line.figure
JOIN line.subject USING (trial);

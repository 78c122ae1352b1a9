-- Rows: the document as each user held it when typing had stopped, one row per user.
-- Units: characters (UTF-16 units, as Quill counts); KiB (2^10 bytes): the framework's saved state, and Quill's own
--        content as JSON beside it.
-- Rule: as written.
-- Source: `settled` lines.
CREATE VIEW documents AS
SELECT trial, process, characters, savedStateBytes / 1024 AS savedStateKiB, quillStateBytes / 1024 AS quillStateKiB
FROM line.settled;

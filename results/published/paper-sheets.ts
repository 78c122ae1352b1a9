/** The Collabs paper's summary sheets (`collabs-2023.json`): their modes, and the figures of `summary.json` beside their columns. */

/** Columns of a sheet, and the figures that stand in them here. Quill's state tells how long documents are. */
export const PAPER_COLUMNS = (
  [
    ['throughput', 'throughput %', 'throughputPercent'],
    ['local p50', 'local p50 ms', 'localLatencyMs.p50'],
    ['end-to-end p50', 'end to end p50 ms', 'endToEndLatencyMs.p50'],
    ['end-to-end p95', 'end to end p95 ms', 'endToEndLatencyMs.p95'],
    ['client CPU', 'client CPU %', 'userCpuPercent'],
    ['server CPU', 'server CPU %', 'serverCpuPercent'],
    ["Quill's state", 'Quill’s KiB', 'quillStateKiB'],
    ['', 'machine busy %', 'machineCpuPercent'],
  ] as const
).map(([published, heading, name]) => ({ published, heading, name }));

/** By mode. */
export const PAPER_SHEETS: Readonly<Record<string, string>> = { optquill: 'OptQuill', noquill: 'NoQuill' };

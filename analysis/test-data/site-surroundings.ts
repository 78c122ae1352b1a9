/** The parts of the site that other rooms bring, made small. */
export const SITE_SURROUNDINGS = {
  frameworks: {
    yjs: {
      colour: { light: '#0072b2', dark: '#3f9ee0' },
      about: 'YATA, MIT',
      folders: ['editors/yjs'],
      issues: ['an issue'],
    },
  },
  experiments: ['compare'],
  campaigns: ['first-question'],
  machineFor: () => ({ title: 'a machine', dollarsAMonth: 10, cpuShare: 0.5, memoryShare: 0.4 }),
  code: 'https://example.org/',
  capabilities: {
    title: 'Capabilities',
    columns: [
      { heading: '', align: 'left' as const },
      { heading: 'yjs', align: 'left' as const },
    ],
    rows: [['undo', '✓']],
    notes: ['A note.'],
  },
};

import type { FrameworkAbout } from '../base/framework.ts';
import { isDocumentLink, LINK_FORM } from './link.ts';
import { READING_LIMIT_MS } from './text.ts';

export const about: FrameworkAbout = {
  package: null,
  algorithm: 'operational transformation (Jupiter)',
  licence: 'proprietary',
  server: "Google's",
  tier: 'deployed',
  withoutSendBatching: 'Its page is Google’s own.',
  presence: { lacking: 'Google’s page shows the others’ cursors in any case.' },
  colour: { light: '#2b2f36', dark: '#eceff3' },
  needsInternet: true,
  hosted: {
    driver: 'docs',
    linkForm: LINK_FORM,
    isLink: isDocumentLink,
    // Google slows down or refuses pages that come faster.
    joinPeriodMs: 1000,
    readingLimitMs: READING_LIMIT_MS,
    // Later ones can only view: Google's help, "Share files from Google Drive".
    mostUsers: 100,
  },
};

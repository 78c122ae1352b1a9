/** How users fared when something broke that the experiment asked to break. */
import type { Content } from '../../tables/markup.ts';
import type { ReportData } from '../report-data.ts';
import { resilienceTables } from '../resilience-table.ts';
import { tierTables } from '../tables.ts';
import { tableSection } from './sections.ts';

export function resilienceSection(data: ReportData): Content {
  return tierTables(data, resilienceTables).map(tableSection);
}

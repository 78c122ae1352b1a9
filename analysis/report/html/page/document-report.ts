/** The script of the `report.html` of documents by themselves: draws the charts of the summary that the page holds. */
import type { DocumentSummary } from '../../../../results/formats/documents.ts';
import { readSummary } from '../../../cell/cell-json.ts';
import { chartsOf } from '../../../charts/growth-charts.ts';
import { ChartPanel } from '../../../charts/page/chart-panel.ts';
import { openPage } from './charted-page.ts';

const summary: DocumentSummary = JSON.parse(document.querySelector('#report-data')!.textContent!);
const models = new Map(chartsOf(readSummary(summary)).map((model) => [model.id, model]));
const panels = new Map([...models.keys()].map((id) => [id, new ChartPanel(id)]));
for (const { element } of panels.values()) document.querySelector('#documents-panels')!.append(element);

const hidden: ReadonlySet<string> = new Set();
openPage({
  ...{ panels, hidden },
  figures: () => [...models.keys()].map((id) => ({ panel: id, mode: null, users: null, name: id })),
  modelOf: ({ panel }) => models.get(panel)!,
  showAll() {
    for (const [id, panel] of panels) panel.show(models.get(id)!, hidden);
  },
});

/** Charts as an open page copies them for other documents. */
import type { Page } from 'puppeteer-core';

/** Takes what the page copies. */
declare let copied: (item: ClipboardItem) => void;

/** Before the page is opened. */
export async function takeCopies(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(() => {
    const write = async ([item]: ClipboardItem[]) => copied(item!);
    Object.defineProperty(navigator, 'clipboard', { value: { write } });
  });
}

/** @returns the text, or the width of the image in pixels */
export function copiedChart(page: Page, panel: string, kind: 'CSV' | 'PNG'): Promise<string> {
  return page.evaluate(
    async (button, type) => {
      const item = new Promise<ClipboardItem>((take) => {
        copied = take;
      });
      document.querySelector<HTMLElement>(button)!.click();
      const blob = await (await item).getType(type);
      return type === 'text/plain' ? await blob.text() : String((await createImageBitmap(blob)).width);
    },
    `#${panel} [aria-label="Copy as ${kind}"]`,
    kind === 'CSV' ? 'text/plain' : 'image/png',
  );
}

/** The lines of a chart that have points, as lists of numbers and gaps. */
export function linesIn(csv: string): { name: string; points: { x: number; value: number | null }[] }[] {
  const [, ...rows] = csv.trim().split('\n');
  const points = rows.map((row) => row.split(/,(?! )/));
  return [...Map.groupBy(points, ([name]) => name!.replaceAll('"', ''))].map(([name, own]) => ({
    name,
    points: own.map(([, x, value]) => ({ x: Number(x), value: value === '' ? null : Number(value) })),
  }));
}

/** A chart for another document: its figures as CSV, its picture as PNG, on the clipboard or, without one, as a file. */
import { renderCsv } from '../../tables/render.ts';
import type { ChartModel } from '../forms/form.ts';
import { FAINT, INK, SURFACE } from '../palette.ts';
import { colourNow } from './theme.ts';

/** Every point with its interval; what is not known is an empty field. */
export function csvOf({ id, lines, unit }: ChartModel): string {
  const rows = lines.flatMap(({ name, points }) =>
    points.map(({ x, value, interval, instead }) => [
      name,
      x,
      value,
      interval?.low ?? null,
      interval?.high ?? null,
      instead,
    ]),
  );
  return renderCsv(['line', 'at', `${id}, ${unit}`, 'low', 'high', 'instead'], rows);
}

const MARGIN_PX = 12;
const HEAD_PX = 44;

/** The canvas under its title, on the ground of the page. */
export async function pngOf(canvas: HTMLCanvasElement, title: string, hint: string): Promise<Blob> {
  const scale = canvas.width / canvas.clientWidth;
  const copy = document.createElement('canvas');
  copy.width = canvas.width + 2 * MARGIN_PX * scale;
  copy.height = canvas.height + (HEAD_PX + MARGIN_PX) * scale;
  const context = copy.getContext('2d')!;
  context.fillStyle = colourNow(SURFACE);
  context.fillRect(0, 0, copy.width, copy.height);
  context.scale(scale, scale);
  context.fillStyle = colourNow(INK);
  context.font = 'bold 14px system-ui, sans-serif';
  context.fillText(title, MARGIN_PX, 20);
  context.fillStyle = colourNow(FAINT);
  context.font = '11px system-ui, sans-serif';
  context.fillText(hint, MARGIN_PX, 36);
  context.drawImage(canvas, MARGIN_PX, HEAD_PX, canvas.clientWidth, canvas.clientHeight);
  return await new Promise((resolve) => {
    copy.toBlob((blob) => resolve(blob!), 'image/png');
  });
}

/** @returns `copied`, or `saved` if the clipboard refuses */
export async function copyOrSave(blob: Blob, name: string): Promise<string> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
    return 'copied';
  } catch {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    return 'saved';
  }
}

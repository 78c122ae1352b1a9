/** A chart for another document: its figures as CSV, its picture as PNG, on the clipboard or, without one, as a file. */
import { renderCsv } from '../../tables/render.ts';
import type { ChartModel } from '../forms/form.ts';

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

/** For a document, or a large screen. */
const PIXELS_PER_PIXEL = 2;

/** @param svg a whole file */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PIXELS_PER_PIXEL * image.naturalWidth;
  canvas.height = PIXELS_PER_PIXEL * image.naturalHeight;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob!), 'image/png');
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

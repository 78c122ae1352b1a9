import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { packLineFormats, unpackLineFormats } from './line-formats.ts';

describe('line formats', () => {
  test('a document comes back as it went in', () => {
    const document = new Delta()
      .insert('Title', { bold: true })
      .insert('\n', { header: 1 })
      .insert('item')
      .insert('\n', { list: 'bullet' })
      .insert('\n');
    expect(packLineFormats(document).ops[1]).toEqual({ insert: '\n', attributes: { line: 'header:1' } });
    expect(unpackLineFormats(packLineFormats(document))).toEqual(document);
  });

  test('a new format of a line takes the place of any other', () => {
    const told = new Delta().retain(3).retain(1, { header: 2, list: null });
    expect(packLineFormats(told)).toEqual(new Delta().retain(3).retain(1, { line: 'header:2' }));
    expect(unpackLineFormats(new Delta().retain(1, { line: 'list:"ordered"' }))).toEqual(
      new Delta().retain(1, { header: null, list: 'ordered' }),
    );
  });

  test('a format that is taken away leaves none', () => {
    expect(packLineFormats(new Delta().retain(1, { header: null }))).toEqual(new Delta().retain(1, { line: null }));
    expect(unpackLineFormats(new Delta().retain(1, { line: null, bold: null }))).toEqual(
      new Delta().retain(1, { bold: null, header: null, list: null }),
    );
  });

  test('formats of text stay as they are', () => {
    const change = new Delta().insert('x', { bold: true }).retain(2, { italic: null }).delete(1);
    expect(packLineFormats(change)).toEqual(change);
    expect(unpackLineFormats(change)).toEqual(change);
  });
});

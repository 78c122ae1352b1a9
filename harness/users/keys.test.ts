import { expect, test } from 'vitest';
import { keyPress, shortcut } from './keys.ts';

test('a letter carries its text and its place on the keyboard, whatever its case', () => {
  expect(keyPress('A').down).toEqual({
    type: 'keyDown',
    key: 'A',
    code: 'KeyA',
    windowsVirtualKeyCode: 65,
    text: 'A',
    unmodifiedText: 'A',
  });
  expect(keyPress('A').up).toEqual({ type: 'keyUp', key: 'A', code: 'KeyA', windowsVirtualKeyCode: 65 });
});

test('what has no place on the keyboard is written by its text', () => {
  expect(keyPress('é').down).toEqual({ type: 'keyDown', key: 'é', text: 'é', unmodifiedText: 'é' });
  expect(keyPress('😀').down).toMatchObject({ type: 'keyDown', text: '😀' });
});

test('Enter writes a line end, Backspace, Delete and Tab write nothing themselves', () => {
  expect(keyPress('\n').down).toMatchObject({ type: 'keyDown', key: 'Enter', text: '\r' });
  for (const name of ['backspace', 'delete', '\t']) {
    expect(keyPress(name).down.type).toBe('rawKeyDown');
    expect(keyPress(name).down.text).toBeUndefined();
  }
});

test('a shortcut holds the modifier and writes nothing', () => {
  const { down } = shortcut('b');
  expect(down).toMatchObject({ type: 'rawKeyDown', key: 'b', code: 'KeyB' });
  expect([2, 4]).toContain(down.modifiers);
  expect(down.text).toBeUndefined();
});

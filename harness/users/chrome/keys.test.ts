import { expect, test } from 'vitest';
import { ALT, arrowKey, keyPress, SHIFT, shortcut } from './keys.ts';

test('a letter carries its text and its place on the keyboard, whatever its case', () => {
  const key = { key: 'A', code: 'KeyA', windowsVirtualKeyCode: 65 };
  expect(keyPress('A').down).toEqual({ type: 'keyDown', ...key, text: 'A', unmodifiedText: 'A' });
  expect(keyPress('A').up).toEqual({ type: 'keyUp', ...key });
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

test('an arrow selects with Shift, and a shortcut may hold further modifiers', () => {
  const left = { key: 'ArrowLeft', code: 'ArrowLeft', windowsVirtualKeyCode: 37 };
  expect(arrowKey('left').down).toEqual({ type: 'rawKeyDown', ...left });
  expect(arrowKey('right', { selects: true }).down).toMatchObject({ key: 'ArrowRight', modifiers: SHIFT });
  const plain = shortcut('1').down.modifiers!;
  expect(shortcut('1', ALT).down).toMatchObject({ code: 'Digit1', modifiers: plain + ALT });
});

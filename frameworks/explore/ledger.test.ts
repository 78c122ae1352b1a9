import { describe, expect, test } from 'vitest';
import { TextLedger, type Witness } from './ledger.ts';
import { markOf } from './world.ts';

describe('the ledger', () => {
  const witness = (name: string): Witness => ({ name, isHere: true, acknowledgedMs: null });
  const [A, B] = [markOf(0), markOf(1)];
  const typedBy = (author: Witness, ...marks: string[]) => {
    const ledger = new TextLedger();
    let shown = '';
    for (const mark of marks) {
      shown += `${mark}x`;
      ledger.typed(author, `${mark}x`, { shown, atMs: 10 });
    }
    return ledger;
  };

  test('owes text to those who are there, and to nobody what only a lost user had', () => {
    const [ada, ben] = [witness('ada'), witness('ben')];
    const ledger = typedBy(ada, A);
    expect(ledger.missing('\n')).toBe('"[0]x" of ada is missing');
    expect(ledger.missing(`${A}x\n`)).toBeNull();
    ada.isHere = false;
    expect(ledger.missing('\n')).toBeNull();
    ada.acknowledgedMs = 15;
    expect(ledger.missing('\n')).not.toBeNull();
    ledger.serverRestarted(20);
    expect(ledger.missing('\n')).toBeNull();
    ledger.saw(ben, A);
    expect(ledger.missing('\n')).not.toBeNull();
  });

  test('owes all of a text, but for characters that somebody deleted', () => {
    const [ada, ben] = [witness('ada'), witness('ben')];
    const ledger = typedBy(ada, A, B);
    expect(ledger.missing(`${A}x${B}x\n`)).toBeNull();
    expect(ledger.missing(`${A}${B}x\n`)).toBe('"x" is there 1 times, and at least 2 are owed');
    // Two may delete the same at the same time.
    ledger.deleted(ben, 'x', 20);
    expect(ledger.missing(`${A}${B}x\n`)).toBeNull();
    expect(ledger.missing(`${A}${B}\n`)).not.toBeNull();
  });

  test('owes what a store has had the time to get, although the server is killed', () => {
    const [ada, ben] = [witness('ada'), witness('ben')];
    for (const [killedMs, isOwed] of [
      [1000, false],
      [20_000, true],
    ] as const) {
      const ledger = new TextLedger(15_000);
      ledger.typed(ada, `${A}x`, { shown: `${A}x`, atMs: 10 });
      ledger.typed(ben, `${B}x`, { shown: `${A}x${B}x`, atMs: 10 });
      Object.assign(ada, { isHere: false, acknowledgedMs: 100 });
      ben.isHere = false;
      ledger.serverRestarted(killedMs);
      expect(ledger.missing('\n')).toBe(isOwed ? '"[0]x" of ada is missing' : null);
    }
  });

  test('knows who saw text go before what replaces it came', () => {
    const [ada, ben, eve] = [witness('ada'), witness('ben'), witness('eve')];
    const ledger = typedBy(ada, A);
    for (const each of [ben, eve]) ledger.saw(each, A);
    ledger.deleted(ben, `${A}x`, 20);
    ledger.typed(ben, `${B}y`, { shown: `${B}y`, atMs: 20 });
    ledger.replaced(`${A}x`, `${B}y`);
    ledger.saw(eve, B);
    ledger.sawTextGo(eve, () => `${B}y\n`);
    expect(ledger.torn).toBeNull();
    ledger.sawTextGo(ada, () => '\n');
    expect(ledger.torn).toBe('ada saw "[0]x" go before "[1]y" came, by which ben replaced it');
  });

  test('knows that a deletion after a restart is known, though the text was typed before it', () => {
    const ada = witness('ada');
    const ledger = typedBy(ada, A);
    ledger.serverRestarted(1000);
    ledger.deleted(ada, `${A}x`, 2000);
    Object.assign(ada, { isHere: false, acknowledgedMs: 3000 });
    expect(ledger.risen(`${A}x\n`)).toBe('"[0]x", which ada deleted, is there again');
    ledger.serverRestarted(4000);
    expect(ledger.risen(`${A}x\n`)).toBeNull();
  });

  test('knows what is doubled, invented, risen or in another order', () => {
    const ada = witness('ada');
    const ledger = typedBy(ada, A, B);
    expect(ledger.invented(`${A}x${B}x\n`)).toBeNull();
    expect(ledger.invented(`${A}x${A}x\n`)).toBe('"[0]" is there 2 times, and was typed 1 times');
    expect(ledger.invented('X\n')).toBe('"X" is there 1 times, and was typed 0 times');
    expect(ledger.reordered(`${A}x${B}x\n`)).toBeNull();
    expect(ledger.reordered(`${B}x${A}x\n`)).toBe('[1] of ada was typed behind [0], and stands before it');
    expect(ledger.risen(`${A}x\n`)).toBeNull();
    ledger.deleted(ada, `${A}x`, 20);
    expect(ledger.risen(`${A}x\n`)).toBe('"[0]x", which ada deleted, is there again');
    expect(ledger.missing(`${B}x\n`)).toBeNull();
    expect(ledger.lastOf(ada)).toBe(`${B}x`);
  });
});

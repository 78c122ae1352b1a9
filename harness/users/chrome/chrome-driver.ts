/** EditorDriver at a Chrome: real key events and clicks through the DevTools protocol, one browser context a user. */
import type { Browser } from 'puppeteer-core';
import type { PageOptions } from '../../../editors/base/page/main.ts';
import type { SessionState } from '../../../editors/base/page/session.ts';
import { screenOf } from '../../modes.ts';
import type { Assignment } from '../../trial/protocol.ts';
import type { EditorDriver, EditorDriverEvents, EditorDriverSample } from '../editor-driver.ts';
import type { Action } from '../typing/typist.ts';
import { keyPress, SHORTCUT_LETTERS, shortcut } from './keys.ts';
import { openUserPage, type UserPage } from './user-page.ts';

/** @param through the address by which Chrome is to open the coordinator's page, see page-proxy.ts */
export function createChromeDriver(browser: Browser, through: (pageUrl: string) => string): EditorDriver {
  let userPage: UserPage;
  let blockButtons: { x: number; y: number }[] = [];

  const evaluate = <T>(expression: string): Promise<T> => userPage.evaluate(expression);
  const move = async (distance: number) => {
    if (distance !== 0) await evaluate(`scriptorium.session().move(${distance})`);
  };

  return {
    async join(assignment: Assignment, events: EditorDriverEvents) {
      userPage = await openUserPage(browser, events);
      await userPage.page.goto(through(assignment.pageUrl));
      const { framework, mode, serverUrl, documentId, batching } = assignment;
      const options: PageOptions = { framework, screen: screenOf(mode), url: serverUrl, documentId, batching };
      await evaluate(`scriptorium.open(${JSON.stringify(options)})`);
      blockButtons = await evaluate('scriptorium.blockButtons()');
    },

    async perform(action: Action) {
      switch (action.kind) {
        case 'key':
          await move(action.move);
          return userPage.press(keyPress(action.text));
        case 'backspace':
        case 'delete':
          await move(action.move);
          return userPage.press(keyPress(action.kind));
        case 'paste':
          await move(action.move);
          return evaluate(`scriptorium.paste(${JSON.stringify(action.text)})`);
        case 'erase':
          await evaluate(`scriptorium.session().select(${action.move}, ${action.length})`);
          return userPage.press(keyPress('backspace'));
        case 'format-cursor':
          return userPage.press(shortcut(SHORTCUT_LETTERS[action.format]));
        case 'format-range':
          await evaluate(`scriptorium.session().select(${action.distance}, ${action.length})`);
          await userPage.press(shortcut(SHORTCUT_LETTERS[action.format]));
          return evaluate(`scriptorium.session().collapse(${-action.distance})`);
        case 'format-block':
          return userPage.click(blockButtons[action.button]!);
        case 'sigil-key':
          return userPage.press(keyPress(action.text));
      }
    },

    measureClock: (rounds) => userPage.measureClock(rounds),
    sample: () => evaluate<EditorDriverSample>('scriptorium.sample()'),
    state: () => evaluate<SessionState>('scriptorium.session().state()'),
    ownEdits: () => evaluate('scriptorium.session().ownEdits()'),
    contents: () => evaluate('scriptorium.session().contents()'),
    savedStateBase64: () => evaluate('scriptorium.savedStateBase64()'),
    flush: () => evaluate('scriptorium.flush()'),

    profile: (durationMs) => userPage.profile(durationMs),

    async leave() {
      if (browser.connected) {
        await evaluate('scriptorium.session().leave()');
        await userPage.close();
      }
    },
  };
}

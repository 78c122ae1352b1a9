/**
 * Takes the place of Node's types where browser code is checked (tsconfig.browser.json): some packages ask for them, and
 * with them `process` and `Buffer` would pass as if a browser had them.
 */
export {};

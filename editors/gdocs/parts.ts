/** The parts of the Docs page that this framework relies on, in one place: Google may change them on any day. See README.md. */

/** Docs draws on canvases. If this global is set before its scripts run, it also writes the text into SVG beside them. */
export const ANNOTATION_SWITCH = '_docs_annotate_canvas_by_ext';
/** The switch's value: the name of the requester. */
export const ANNOTATION_REQUESTER = 'scriptorium';

/** The element that scrolls. */
export const SCROLLER = '.kix-appview-editor';
/** A part of a page as it is drawn; only those near the visible part of the document are there. */
export const TILE = '.kix-canvas-tile-content';
/** A stretch of one line in one font: its text is the label. */
export const STRETCH = `${TILE} svg rect[aria-label]`;
/** The stretches of one paragraph, or of its part on one tile. */
export const PARAGRAPH = 'g';
/** Takes the keys. */
export const KEY_FRAME = 'iframe.docs-texteventtarget-iframe';
/** The button that shows whether one may edit, suggest or view, and its look while one may edit. */
export const MODE_BUTTON = '#docs-toolbar-mode-switcher';
export const EDIT_MODE = `${MODE_BUTTON}.edit-mode, ${MODE_BUTTON} .docs-icon-mode-edit`;

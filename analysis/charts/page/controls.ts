/** The buttons above the charts: each is a real button, says whether it is pressed, and works by keyboard. */

import { type FrameworkStyle, swatch } from '../palette.ts';
import { element } from './theme.ts';

/** One of several; pressing another takes its place. */
export function choice<Value extends string | number>(options: {
  label: string;
  values: readonly Value[];
  chosen: Value;
  onChoose: (value: Value) => void;
}): HTMLElement {
  const buttons = options.values.map((value) => {
    const button = element('button', { type: 'button', 'aria-pressed': String(value === options.chosen) }, [
      String(value),
    ]);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      options.onChoose(value);
    });
    return button;
  });
  return group(options.label, buttons);
}

/** Lines that can be shown or not, each with how it is drawn. */
export function lineToggles(options: {
  lines: readonly { name: string; style: FrameworkStyle }[];
  /** Names of lines that are not shown; changed here. */
  hidden: Set<string>;
  onChange: () => void;
}): HTMLElement {
  const { lines, hidden, onChange } = options;
  const buttons = lines.map(({ name, style }) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'true', 'data-line': name });
    button.innerHTML = swatch(style).text;
    button.append(name);
    button.addEventListener('click', () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute('aria-pressed', String(!hidden.has(name)));
      onChange();
    });
    return button;
  });
  return group('Frameworks shown', buttons);
}

function group(label: string, buttons: readonly HTMLElement[]): HTMLElement {
  return element('div', { role: 'group', 'aria-label': label, class: 'buttons' }, [
    element('span', { class: 'buttons-label', 'aria-hidden': 'true' }, [label]),
    ...buttons,
  ]);
}

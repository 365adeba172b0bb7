// The fields of a form as a list that can be stored and set again. Passwords, files and the token
// of the session are left out. The other hidden fields are included: a form that is restored is
// then the same form, with the key that makes it write once and the versions that it opened with.
/// <reference lib="dom" />

/** The event of a list of lines that sets their number, and the one that says that it can. */
export const SET_LINES = 'set-lines';
export const LINES_READY = 'lines-ready';

/** The name and the value of a field. A box or a radio button also has whether it is checked. */
type TypedField = readonly [name: string, value: string, isChecked?: boolean];

export interface TypedFields {
  readonly fields: readonly TypedField[];
  readonly hidden: readonly TypedField[];
  /** The number of lines; null for a form without lines. */
  readonly lines: number | null;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const LINES = '[data-lines]';
/** The field of the session's token. */
const TOKEN = 'token';
const UNSTORED: ReadonlySet<string> = new Set([
  'password',
  'file',
  'submit',
  'button',
  'reset',
  'image',
]);

export function readFields(form: HTMLFormElement): TypedFields {
  const read = (control: Control): TypedField =>
    isBox(control)
      ? [nameOf(control), control.value, control.checked]
      : [nameOf(control), control.value];
  const controls = storedControls(form);
  const list = form.querySelector(LINES);
  return {
    fields: controls.filter(control => control.type !== 'hidden').map(read),
    hidden: controls.filter(control => control.type === 'hidden').map(read),
    lines: list?.children.length ?? null,
  };
}

/**
 * Sets the fields, with the events that typing causes, so that other scripts follow. Ignores fields
 * that the form does not have. Adds lines once the script of the form has loaded.
 */
export function setFields(form: HTMLFormElement, typed: TypedFields): void {
  const list = form.querySelector(LINES);
  if (list && typed.lines !== null && list.children.length !== typed.lines) {
    const event = new CustomEvent(SET_LINES, { detail: typed.lines, cancelable: true });
    if (list.dispatchEvent(event))
      form.addEventListener(LINES_READY, () => setFields(form, typed), { once: true });
  }
  // Scripts compute hidden fields from the others, so these come last.
  const changed = setControls(form, typed.fields, false);
  setControls(form, typed.hidden, true);
  // Scripts that look up a field when it is left may need all of them.
  for (const control of changed) control.dispatchEvent(new Event('change', { bubbles: true }));
}

function setControls(
  form: HTMLFormElement,
  fields: readonly TypedField[],
  areHidden: boolean,
): Control[] {
  const left = [...fields];
  const changed: Control[] = [];
  for (const control of storedControls(form)) {
    if ((control.type === 'hidden') !== areHidden) continue;
    const name = nameOf(control);
    const at = left.findIndex(
      field => field[0] === name && (!isBox(control) || field[1] === control.value),
    );
    const [field] = at < 0 ? [] : left.splice(at, 1);
    if (field && setControl(control, field)) changed.push(control);
  }
  return changed;
}

/** True if it has another value than before and is a field of text, whose script may read it. */
function setControl(control: Control, [, value, isChecked = false]: TypedField): boolean {
  if (isBox(control)) {
    if (control.checked === isChecked) return false;
    control.checked = isChecked;
  } else {
    if (control.value === value) return false;
    control.value = value;
  }
  if (control.type === 'hidden') return false;
  const details = control.closest('details');
  if (details && !isUntouched(control)) details.open = true;
  control.dispatchEvent(new Event('input', { bubbles: true }));
  const isChosen = isBox(control) || control instanceof HTMLSelectElement;
  if (isChosen) control.dispatchEvent(new Event('change', { bubbles: true }));
  return !isChosen;
}

/** True if a field has another value than the page gave it. `lines` is their number at first. */
export function isChanged(form: HTMLFormElement, lines: number | null): boolean {
  const list = form.querySelector(LINES);
  return (
    (list !== null && list.children.length < (lines ?? 0)) ||
    storedControls(form).some(control => control.type !== 'hidden' && !isUntouched(control))
  );
}

export function hasFields(form: HTMLFormElement): boolean {
  return storedControls(form).some(({ type }) => type !== 'hidden');
}

function isUntouched(control: Control): boolean {
  if (isBox(control)) return control.checked === control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value === control.defaultValue;
  const first = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
  return control.selectedIndex === Math.max(first, 0);
}

function isBox(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio';
}

function storedControls(form: HTMLFormElement): Control[] {
  return ([...form.elements] as Control[]).filter(
    control =>
      control.matches('input, select, textarea') &&
      control.name !== '' &&
      control.name !== TOKEN &&
      !control.disabled &&
      !UNSTORED.has(control.type),
  );
}

/** The name with the position of its line: the names of lines have gaps after one was removed. */
function nameOf(control: Control): string {
  const line = control.closest(`${LINES} > *`);
  if (!line?.parentElement) return control.name;
  const at = [...line.parentElement.children].indexOf(line);
  return control.name.replace(/^items\.\d+/u, `items.${at}`);
}

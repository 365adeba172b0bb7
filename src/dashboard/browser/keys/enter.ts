// Forms that book nothing by accident: Enter, which also ends a scan, goes to the next field. Only
// the button, or Enter with Ctrl or Command, sends the form. Without scripts their first button is
// disabled, so that Enter does nothing (<Form deliberate>).
/// <reference lib="dom" />
import { find } from '../find.js';

/** Of several choices, the chosen one. */
const FIELDS = 'input:not([type=hidden], [type=file], [type=radio]:not(:checked)), select';

/** A script of the form may take the key first. */
export function keepEnterFromSending(): void {
  document.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.isComposing) return;
    const target = event.target as HTMLElement;
    const form = target.closest<HTMLFormElement>('form[data-deliberate]');
    if (!form) return;
    const isSending = event.ctrlKey || event.metaKey;
    if (!target.matches(isSending ? `${FIELDS}, textarea` : FIELDS)) return;
    event.preventDefault();
    if (isSending) form.requestSubmit(sendButton(form));
    else focusNext(form, target);
  });
}

/** The next visible field, else the button that sends the form. */
export function focusNext(form: HTMLFormElement, target: HTMLElement): void {
  (nextField(form, target) ?? sendButton(form)).focus();
}

/** Undefined after the last visible field. Collapsed fields are skipped. */
export function nextField(form: HTMLElement, target: HTMLElement): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLElement>(`${FIELDS}, textarea`)].filter(
    each => each.offsetParent !== null && !each.closest('details:not([open])'),
  );
  return fields[fields.indexOf(target) + 1];
}

function sendButton(form: HTMLFormElement): HTMLButtonElement {
  return find(form, 'button[type=submit]:not([name], [disabled])') as HTMLButtonElement;
}

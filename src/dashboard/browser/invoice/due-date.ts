// The due date of the invoice form, which follows the invoice date.
/// <reference lib="dom" />
import { addDays } from '../../../platform/values/days.js';
import { find } from '../find.js';

/**
 * Computes the due date from the invoice date and the payment terms until the user edits it. The
 * event `terms` of the form has those of the chosen customer.
 */
export function followDate(form: HTMLElement): void {
  const head = find(form, '.invoice-head');
  let terms = head.dataset.terms ?? '';
  const date = find(head, 'input[name=date]') as HTMLInputElement;
  const due = find(form, 'input[name=dueDate]') as HTMLInputElement;
  const dueDateOf = (day: string) =>
    day === '' || terms === '' ? '' : addDays(day, Number(terms));
  let suggested = dueDateOf(date.defaultValue);
  const follow = () => {
    const follows = due.value === '' || due.value === suggested;
    suggested = dueDateOf(date.value);
    if (follows) due.value = suggested;
  };
  date.addEventListener('input', follow);
  form.addEventListener('terms', event => {
    terms = String((event as CustomEvent<number | null>).detail ?? '');
    follow();
  });
  // The user may have typed the date before this script had loaded.
  if (date.value !== date.defaultValue) follow();
}

// The offer to restore what was typed into a form, above the form.
/// <reference lib="dom" />

interface OfferActions {
  readonly restore: () => void;
  readonly discard: () => void;
}

/** Shows the offer, and returns the function that removes it. */
export function offerCopy(form: HTMLFormElement, { restore, discard }: OfferActions): () => void {
  const offer = document.createElement('div');
  offer.className = 'restore-offer';
  // A status is announced if its text comes after the element.
  offer.setAttribute('role', 'status');
  const end = (action: () => void) => () => {
    offer.remove();
    action();
    firstField(form)?.focus();
  };
  form.before(offer);
  const text = document.createElement('p');
  text.textContent = 'This form has input that was not submitted. Restore what you typed?';
  const actions = document.createElement('div');
  actions.className = 'actions';
  actions.append(button('Restore', end(restore)), button('Discard', end(discard)));
  setTimeout(() => offer.append(text, actions));
  return () => offer.remove();
}

function button(label: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button quiet';
  made.textContent = label;
  made.addEventListener('click', press);
  return made;
}

function firstField(form: HTMLFormElement): HTMLElement | undefined {
  const fields = form.querySelectorAll<HTMLElement>('input:not([type=hidden]), select, textarea');
  return [...fields].find(each => each.offsetParent !== null);
}

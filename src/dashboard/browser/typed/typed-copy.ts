// Keeps a copy of what is typed into the forms of a page, so that a reload, a link or a closed tab
// loses nothing: the next visit of the page offers to restore it.
//
// A copy is `kept` while the person types, `sent` once the form is submitted, and deleted if the
// next page is not a response to the form itself: a redirect follows a form that succeeded, or a
// page with a secret that says so.
/// <reference lib="dom" />
import { CopyStore, type TypedCopy } from './copy-store.js';
import { offerCopy } from './restore-offer.js';
import { onStopped } from './stopped.js';
import { hasFields, isChanged, readFields, setFields } from './typed-fields.js';

const SAVE_AFTER_MS = 250;
const SIGN_OUT = '/sign-out';

const here = location.pathname + location.search;
const { user, posted } = document.body.dataset;
/** The page is a response to a form that was sent: a refused form, or a step before the write. */
const isPosted = posted === 'open';

class KeptForm {
  readonly #form: HTMLFormElement;
  readonly #store: CopyStore;
  readonly #id: Pick<TypedCopy, 'page' | 'action'>;
  /** The number of lines that the page came with. */
  readonly #lines: number | null;
  /** The page came with what was typed, so its fields look unchanged. */
  readonly #isRefused: boolean;
  #isTouched = false;
  #isSent = false;
  /** The browser did not store the copy, so leaving the page would lose it. */
  #isUnkept = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #withdrawOffer = () => {};

  constructor(form: HTMLFormElement, store: CopyStore) {
    const action = actionOf(form);
    this.#form = form;
    this.#store = store;
    this.#lines = readFields(form).lines;
    this.#isRefused = isPosted && action === location.pathname;
    const earlier = this.#isRefused ? store.all().find(copy => copy.action === action) : undefined;
    this.#id = earlier ?? { page: here, action };
    form.addEventListener('input', () => this.#touch());
    form.addEventListener('change', () => this.#touch());
    form.querySelector('.actions > a')?.addEventListener('click', () => this.discard());
    const copy = this.#isRefused ? null : store.find(here, action);
    // The person may have typed before this script had loaded.
    if (this.#isRefused || isChanged(form, this.#lines)) this.#touch();
    if (copy) this.#offer(copy);
  }

  /** Called before the page is left, which must not wait for the timer. */
  save(): void {
    clearTimeout(this.#timer);
    if (!this.#isTouched || this.#isSent) return;
    if (!this.#isRefused && !isChanged(this.#form, this.#lines)) this.#store.remove(this.#id);
    else this.#write(false);
  }

  sent(): void {
    this.save();
    this.#isSent = true;
    if (this.#isTouched || this.#store.find(this.#id.page, this.#id.action)) this.#write(true);
  }

  /** Back on a page that the browser had kept: its form was sent before. */
  shownAgain(): void {
    if (this.#isSent) this.#isTouched = false;
    this.#isSent = false;
  }

  /** Still on its page: the browser was stopped before an answer. */
  stopped(): void {
    if (!this.#isSent) return;
    this.#isSent = false;
    if (this.#isTouched) this.#write(false);
  }

  discard(): void {
    clearTimeout(this.#timer);
    this.#isTouched = false;
    this.#isUnkept = false;
    this.#withdrawOffer();
    this.#store.remove(this.#id);
  }

  get losesInput(): boolean {
    return this.#isUnkept && !this.#isSent;
  }

  get form(): HTMLFormElement {
    return this.#form;
  }

  #touch(): void {
    this.#isTouched = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  #write(isSent: boolean): void {
    const copy = { ...this.#id, ...readFields(this.#form), isSent };
    this.#isUnkept = !this.#store.save(copy);
  }

  /** Input from now on replaces the stored copy, but not the offered one. */
  #offer(copy: TypedCopy): void {
    const shown = JSON.stringify(readFields(this.#form).fields);
    if (JSON.stringify(copy.fields) === shown) {
      this.#store.remove(copy);
      return;
    }
    this.#withdrawOffer = offerCopy(this.#form, {
      restore: () => setFields(this.#form, copy),
      discard: () => {
        if (!this.#isTouched) this.#store.remove(copy);
      },
    });
  }
}

/** The copies that were sent: this page tells what became of them. */
function settleSent(store: CopyStore): void {
  const hasSucceeded = posted === 'done' || document.querySelector('.toast') !== null;
  for (const copy of store.all().filter(({ isSent }) => isSent)) {
    // The response to the form never arrived if its own page is opened again.
    const isUnknown = copy.page === here && !hasSucceeded;
    if (isPosted || isUnknown) store.save({ ...copy, isSent: false });
    else store.remove(copy);
  }
}

/** A form of hidden fields, such as a review, sends the input of the form before it. */
function markSent(store: CopyStore, action: string): void {
  for (const copy of store.all()) if (copy.action === action) store.save({ ...copy, isSent: true });
}

/** The attribute, because a field named method replaces the form's property. */
function isPost(form: HTMLFormElement): boolean {
  return form.getAttribute('method') === 'post';
}

function actionOf(form: HTMLFormElement): string {
  return new URL(form.getAttribute('action') ?? '', location.href).pathname;
}

function keepForms(user: string): void {
  const store = new CopyStore(user);
  settleSent(store);
  const kept = [...document.forms]
    .filter(form => isPost(form) && hasFields(form))
    .map(form => new KeptForm(form, store));
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !isPost(form)) return;
    if (event.submitter?.getAttribute('formtarget') === '_blank') return;
    const own = kept.find(each => each.form === form);
    if (own) own.sent();
    else markSent(store, actionOf(form));
    if (actionOf(form) !== SIGN_OUT) return;
    for (const each of kept) each.discard();
    store.clear();
  });
  window.addEventListener('pagehide', () => {
    for (const each of kept) each.save();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') for (const each of kept) each.save();
  });
  window.addEventListener('pageshow', event => {
    if (event.persisted) for (const each of kept) each.shownAgain();
  });
  onStopped(() => {
    for (const each of kept) each.stopped();
  });
  window.addEventListener('beforeunload', event => {
    if (kept.some(each => each.losesInput)) event.preventDefault();
  });
}

if (user !== undefined) keepForms(user);

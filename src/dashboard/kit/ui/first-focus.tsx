// The focus of a page when it opens. After a refusal the first error has it, so that a phone shows
// the error and a screen reader reads it. The attribute `autofocus` needs no JavaScript.
import { type ComponentChildren, createContext } from 'preact';
import { type FormState, newForm } from '../forms/form-state.js';

/**
 * Gives the focus to one control of a form: after a refusal the first one with an error, otherwise
 * the first one if the form has `focusFirst`. A form is rendered once, in the order of its fields.
 */
export class FirstFocus {
  #isFree: boolean;
  readonly #onlyErrors: boolean;

  constructor({ errors, message }: FormState, focusFirst: boolean) {
    this.#onlyErrors = errors.size > 0;
    this.#isFree = this.#onlyErrors || (focusFirst && message === undefined);
  }

  /** The value of `autofocus`: true for one control. */
  take(hasError: boolean): true | undefined {
    if (!this.#isFree || (this.#onlyErrors && !hasError)) return undefined;
    this.#isFree = false;
    return true;
  }
}

export const FocusContext = createContext(new FirstFocus(newForm(), false));

/** The message of a refused form, with the link to what helps. */
export function RefusalMessage({ state: { message, wayOn, errors } }: { state: FormState }) {
  if (!message) return null;
  return (
    <Alert hasFocus={errors.size === 0}>
      {message}
      {wayOn && (
        <>
          {' '}
          <a href={wayOn.href}>{wayOn.text}</a>
        </>
      )}
    </Alert>
  );
}

/** The reason of a refusal. With the focus, it is in view and read first. */
export function Alert({ hasFocus = true, children }: AlertProps) {
  return (
    <p class="message bad" role="alert" tabindex={-1} autofocus={hasFocus}>
      {children}
    </p>
  );
}

interface AlertProps {
  readonly hasFocus?: boolean;
  readonly children: ComponentChildren;
}

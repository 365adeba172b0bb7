// Forms and their fields. A field takes its value and its error from the form around it, so a form
// that is shown again after a refusal keeps all input except passwords.
import { type ComponentChildren, createContext, type LooseInputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import type { Permission } from '../../../users/roles.js';
import { TOKEN_FIELD } from '../csrf.js';
import { FormContext, useLimits, useShownText } from '../forms/form-context.js';
import { type FormState, GENERATED_PREFIX, KEY_FIELD, newForm } from '../forms/form-state.js';
import { PageContext } from './components.js';
import { FirstFocus, FocusContext, RefusalMessage } from './first-focus.js';

/** Which labels say what they are: those of the fewer fields. */
const MarkContext = createContext<'required' | 'optional'>('optional');

interface FormProps {
  /** The path of its POST. */
  readonly action: string;
  readonly state?: FormState;
  /** Names the form if its page has several. */
  readonly label?: string;
  /** Removes the spacing between fields, for a form with a single button. */
  readonly inline?: boolean;
  /** Makes the form as wide as the page, for rows of several fields. */
  readonly wide?: boolean;
  /** The form sends a file; its route is a postFile. */
  readonly upload?: boolean;
  /** Focuses the first field when the page opens, if the form is the page's one purpose. */
  readonly focusFirst?: boolean;
  /** Enter goes to the next field: only the button, or Enter with Ctrl, sends the form. */
  readonly deliberate?: boolean;
  /** Marks the required fields instead of the optional ones. */
  readonly mostlyOptional?: boolean;
  /** Visitors without it see the fields but cannot edit or send them. */
  readonly permission?: Permission;
  readonly children: ComponentChildren;
}

/** A form that changes data, posted with the token. A search is a plain <form method="get">. */
export function Form({ state = newForm(), focusFirst = false, ...props }: FormProps) {
  const { token, may } = useContext(PageContext);
  if (props.permission && !may(props.permission)) {
    return (
      <fieldset class={props.wide ? 'form wide' : 'form'} aria-label={props.label} disabled>
        <FormContext.Provider value={state}>{props.children}</FormContext.Provider>
      </fieldset>
    );
  }
  return (
    <form
      method="post"
      action={props.action}
      enctype={props.upload ? 'multipart/form-data' : undefined}
      class={props.inline ? 'inline' : props.wide ? 'form wide' : 'form'}
      aria-label={props.label}
      data-deliberate={props.deliberate ? '' : undefined}
      novalidate
    >
      {/* Enter presses the first button, and does nothing if that is disabled. */}
      {props.deliberate && <button type="submit" hidden disabled />}
      {token !== null && <input type="hidden" name={TOKEN_FIELD} value={token} />}
      {state.key !== undefined && <Hidden name={KEY_FIELD} value={state.key} />}
      <RefusalMessage state={state} />
      <FocusContext.Provider value={new FirstFocus(state, focusFirst)}>
        <FormContext.Provider value={state}>
          <MarkContext.Provider value={props.mostlyOptional ? 'required' : 'optional'}>
            {props.children}
          </MarkContext.Provider>
        </FormContext.Provider>
      </FocusContext.Provider>
    </form>
  );
}

interface ButtonProps {
  readonly quiet?: boolean;
  readonly danger?: boolean;
  readonly name?: string;
  readonly value?: string;
  /** Tells screen readers which row the button belongs to. */
  readonly about?: string;
  readonly children: string;
}

export function Button(props: ButtonProps) {
  const kind = props.danger ? 'button danger' : props.quiet ? 'button quiet' : 'button';
  return (
    <>
      <button class={kind} type="submit" name={props.name} value={props.value}>
        {props.children}
        {props.about && <span class="unseen">{` ${props.about}`}</span>}
      </button>
      {props.name !== undefined && <GeneratedMark name={props.name} />}
    </>
  );
}

/** A value that the page generates. The page of an unsent form does not show it as input. */
export function Hidden({ name, value }: { name: string; value: string }) {
  return (
    <>
      <input type="hidden" name={name} value={value} />
      <GeneratedMark name={name} />
    </>
  );
}

function GeneratedMark({ name }: { name: string }) {
  return <input type="hidden" name={GENERATED_PREFIX + name} value="1" />;
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** A sentence below the control that says what to enter, or who will see it. */
  readonly hint?: string;
  /** The default is what the schema of the form says. */
  readonly optional?: boolean;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search';
  readonly autocomplete?: string;
  /** The value that applies if the field stays empty. */
  readonly placeholder?: string;
  /** A number, for which phones show the numeric keyboard. The default is as the schema says. */
  readonly decimal?: boolean;
}

/** A text input with its label, hint and error. The form's schema sets its limits. */
export function Field({ type = 'text', autocomplete, placeholder, decimal, ...field }: InputProps) {
  const { isNumber = false, maxLength } = useLimits(field.name);
  const value = useShownText(field.name, decimal ?? isNumber);
  const attributes: LooseInputHTMLAttributes<HTMLInputElement> = {
    autocomplete,
    placeholder,
    inputmode: (decimal ?? isNumber) ? 'decimal' : undefined,
    maxlength: maxLength,
    value: type === 'password' ? undefined : (value ?? undefined),
  };
  return (
    <Labelled {...field}>
      {control => <input {...({ ...attributes, ...control, type } as object)} />}
    </Labelled>
  );
}

/** A text input of several lines. */
export function TextArea({ rows = 4, ...field }: FieldProps & { rows?: number }) {
  const { values } = useContext(FormContext);
  const { maxLength } = useLimits(field.name);
  return (
    <Labelled {...field}>
      {control => (
        <textarea {...control} rows={rows} maxlength={maxLength}>
          {values.get(field.name) ?? ''}
        </textarea>
      )}
    </Labelled>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends FieldProps {
  readonly options: readonly Option[];
  /** Shown, but neither editable nor sent; the hint says why. */
  readonly disabled?: boolean;
}

/** A choice from a list. One without an empty option always has a value. */
export function Select({ options, disabled, ...field }: SelectProps) {
  const chosen = useContext(FormContext).values.get(field.name);
  const limits = useLimits(field.name);
  const hasEmpty = options.some(({ value }) => value === '');
  const optional = field.optional ?? (hasEmpty && limits.isOptional === true);
  return (
    <Labelled {...field} optional={optional}>
      {control => (
        <select {...control} disabled={disabled}>
          {options.map(({ value, label }) => (
            <option key={value} value={value} selected={value === chosen}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A checkbox. Several with one name that ends in [] form an array. */
export function Checkbox({ name, label, value = 'true', hint }: FieldProps & { value?: string }) {
  const { values } = useContext(FormContext);
  const id = `${idOf(name)}-${value}`;
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={values.getAll(name).includes(value)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface Control {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly autofocus: true | undefined;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
}

/**
 * The label of any control above it, and its error and hint below, so that the controls of a row
 * share a line.
 */
export function Labelled(
  props: FieldProps & { children: (control: Control) => ComponentChildren },
) {
  const { name, label, hint } = props;
  const { isOptional = false } = useLimits(name);
  const { optional = isOptional } = props;
  const error = useContext(FormContext).errors.get(name);
  const focus = useContext(FocusContext);
  const mark = useContext(MarkContext);
  const id = idOf(name);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional === (mark === 'optional') && <span class="optional"> ({mark})</span>}
      </label>
      {props.children({
        id,
        name,
        required: !optional,
        autofocus: focus.take(error !== undefined),
        'aria-invalid': error ? 'true' : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The id of a field's control. */
export function idOf(name: string): string {
  return `field-${name.replaceAll(/[^\w]/gu, '-')}`;
}

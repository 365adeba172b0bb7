// Forms and their fields. A field finds its value and its error in the form it stands in, so a page that is shown again
// after a refusal has everything as it was typed; passwords alone are never sent back.
import { type ComponentChildren, createContext, type LooseInputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { TOKEN_FIELD } from '../csrf.js';
import { type FormState, newForm } from '../form.js';
import { PageContext } from './components.js';

export const FormContext = createContext<FormState>(newForm());

interface FormProps {
  /** Where it is posted. */
  readonly action: string;
  readonly state?: FormState;
  /** Names the form where its page has several. */
  readonly label?: string;
  /** In one line, without the spacing of a form that is filled in: for single buttons. */
  readonly inline?: boolean;
  /** As wide as its page: for lines of several fields. */
  readonly wide?: boolean;
  /** It sends a file: its POST is mounted with postFile. */
  readonly upload?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes something: posts, and carries the token. For searching write a plain <form method="get">. */
export function Form({
  action,
  state = newForm(),
  label,
  inline,
  wide,
  upload,
  children,
}: FormProps) {
  const kind = inline ? 'inline' : wide ? 'form wide' : 'form';
  const { token } = useContext(PageContext);
  return (
    <form
      method="post"
      action={action}
      enctype={upload ? 'multipart/form-data' : undefined}
      class={kind}
      aria-label={label}
      novalidate
    >
      {token !== null && <input type="hidden" name={TOKEN_FIELD} value={token} />}
      {state.message && (
        <p class="message bad" role="alert">
          {state.message}
        </p>
      )}
      <FormContext.Provider value={state}>{children}</FormContext.Provider>
    </form>
  );
}

interface ButtonProps {
  readonly quiet?: boolean;
  readonly danger?: boolean;
  readonly name?: string;
  readonly value?: string;
  /** What it is about, for who does not see the row it stands in. */
  readonly about?: string;
  readonly children: string;
}

export function Button(props: ButtonProps) {
  const kind = props.danger ? 'button danger' : props.quiet ? 'button quiet' : 'button';
  return (
    <button class={kind} type="submit" name={props.name} value={props.value}>
      {props.children}
      {props.about && <span class="unseen">{` ${props.about}`}</span>}
    </button>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** A sentence under the label: what is expected. */
  readonly hint?: string;
  readonly optional?: boolean;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search';
  readonly autocomplete?: string;
  /** Figures: the keyboard of a phone has digits. */
  readonly decimal?: boolean;
  readonly maxLength?: number;
}

/** One line to type in, with its label, its hint and its error. */
export function Field({ type = 'text', autocomplete, decimal, maxLength, ...field }: InputProps) {
  const { values } = useContext(FormContext);
  const attributes: LooseInputHTMLAttributes<HTMLInputElement> = {
    autocomplete,
    inputmode: decimal ? 'decimal' : undefined,
    maxlength: maxLength,
    value: type === 'password' ? undefined : (values.get(field.name) ?? undefined),
  };
  return (
    <Labelled {...field}>
      {control => <input {...({ ...attributes, ...control, type } as object)} />}
    </Labelled>
  );
}

/** Several lines to type in. */
export function TextArea({ rows = 4, ...field }: FieldProps & { rows?: number }) {
  const { values } = useContext(FormContext);
  return (
    <Labelled {...field}>
      {control => (
        <textarea {...control} rows={rows}>
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
  /** Shown and not to be changed, nor sent; the hint says why. */
  readonly disabled?: boolean;
}

/** One of several. */
export function Select({ options, disabled, ...field }: SelectProps) {
  const chosen = useContext(FormContext).values.get(field.name);
  return (
    <Labelled {...field}>
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

/** Yes or no. Several with one name ending in [] make an array. */
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
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** The label, hint and error around a control of whatever kind. */
export function Labelled(
  props: FieldProps & { children: (control: Control) => ComponentChildren },
) {
  const { name, label, hint, optional = false } = props;
  const error = useContext(FormContext).errors.get(name);
  const id = idOf(name);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> (optional)</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {props.children({
        id,
        name,
        required: !optional,
        'aria-invalid': error ? 'true' : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

/** The id of a field's control. */
export function idOf(name: string): string {
  return `field-${name.replaceAll(/[^\w]/gu, '-')}`;
}

// Parts of a form with several controls: a group under one legend with one error, the fields of a
// line, and the actions at the end.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { FormContext } from '../forms/form-context.js';
import { ButtonLink, Panel } from './components.js';
import { Button, Checkbox, type FieldProps, idOf, type Option } from './fields.js';
import { FocusContext } from './first-focus.js';

/** A part of a long form: a card with its title at the left on wide screens. */
export function FormSection({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Panel title={title} class="form-card" split>
      {children}
    </Panel>
  );
}

interface CardProps {
  readonly title: string;
  /** A few words beside the title. */
  readonly about: string;
  /** The names of its fields, or the beginning of their names. */
  readonly fields: readonly string[];
  readonly children: ComponentChildren;
}

/** A part of a long form that is open only if a field of it has a value or an error. */
export function FieldCard({ title, about, fields, children }: CardProps) {
  const { values, errors } = useContext(FormContext);
  const isOwn = (name: string) => fields.some(each => name.startsWith(each));
  const filled = [...values].flatMap(([name, text]) => (text === '' ? [] : [name]));
  return (
    <details class="panel disclosure" open={[...filled, ...errors.keys()].some(isOwn)}>
      <summary>
        {title} <span class="note">{about}</span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

/** A choice of one option, as radio buttons. */
export function Choice({
  name,
  label,
  hint,
  options,
}: FieldProps & { options: readonly (Option & { hint?: string })[] }) {
  const { values, errors } = useContext(FormContext);
  return (
    <Group
      name={name}
      label={label}
      error={errors.get(name)}
      {...(hint === undefined ? {} : { hint })}
    >
      {options.map(option => {
        const id = `${idOf(name)}-${option.value}`;
        return (
          <div key={option.value} class="check">
            <input
              id={id}
              type="radio"
              name={name}
              value={option.value}
              checked={values.get(name) === option.value}
            />
            <label for={id}>{option.label}</label>
            {option.hint && <p class="hint">{option.hint}</p>}
          </div>
        );
      })}
    </Group>
  );
}

/** A choice of several options, as checkboxes that form an array and have one error. */
export function Checkboxes({ name, label, options }: FieldProps & { options: readonly Option[] }) {
  const error = useContext(FormContext).errors.get(name);
  return (
    <Group name={name} label={label} error={error}>
      {options.map(option => (
        <Checkbox key={option.value} name={`${name}[]`} label={option.label} value={option.value} />
      ))}
    </Group>
  );
}

function Group(props: FieldProps & { error: string | undefined; children: ComponentChildren }) {
  const id = idOf(props.name);
  const focus = useContext(FocusContext);
  return (
    <fieldset
      class={`field ${props.name}`}
      tabindex={props.error ? -1 : undefined}
      autofocus={props.error ? focus.take(true) : undefined}
      aria-describedby={props.error ? `${id}-error` : undefined}
    >
      <legend>{props.label}</legend>
      {props.hint && <p class="hint">{props.hint}</p>}
      {props.children}
      {props.error && (
        <p id={`${id}-error`} class="error">
          {props.error}
        </p>
      )}
    </fieldset>
  );
}

interface LineGroupProps {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** The fields of one line of a form, laid out as a grid. */
export function LineGroup({ class: className, label, children }: LineGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be a grid item
    <div class={className} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** The last row of a form: the button that submits it, other buttons, and a link back. */
export function FormActions({ submit, cancel, danger = false, children }: ActionsProps) {
  return (
    <div class="actions">
      <Button danger={danger}>{submit}</Button>
      {children}
      <ButtonLink href={cancel} quiet>
        Cancel
      </ButtonLink>
    </div>
  );
}

interface ActionsProps {
  readonly submit: string;
  /** The address of the link. */
  readonly cancel: string;
  readonly danger?: boolean;
  readonly children?: ComponentChildren;
}

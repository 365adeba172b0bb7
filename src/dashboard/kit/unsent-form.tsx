// An unsent form: the input of a form that arrived after its session had ended or changed. Hidden
// fields carry it through the sign-in pages, and nothing is stored on the server, until the person
// submits or discards it.

import { FormFields } from '../../platform/http/input/form-fields.js';
import type { Session } from '../../users/sessions.js';
import { TOKEN_FIELD } from './csrf.js';
import { FORM_LIMIT_BYTES } from './forms/form.js';
import { GENERATED_PREFIX } from './forms/form-state.js';
import type { PageAnswer, PageRequest } from './page.js';
import { ButtonLink, PageHead, Panel } from './ui/components.js';
import { Button, Form } from './ui/fields.js';

export interface UnsentForm {
  /** The form's target. */
  readonly path: string;
  readonly fields: FormFields;
}

/** The size of an unsent form that leaves room for the fields of the sign-in form around it. */
const CARRIED_BYTES = FORM_LIMIT_BYTES - 8 * 1024;
const SHOWN_FIELDS = 12;
const SHOWN_LENGTH = 120;

const PATH_FIELD = 'unsentPath';
const PREFIX = 'unsent.';

/** The form without passwords and without its page's token. Null if the person entered nothing. */
export function captureForm(path: string, form: FormFields): UnsentForm | null {
  const fields = new FormFields(
    [...form].filter(([name]) => name !== TOKEN_FIELD && !name.toLowerCase().includes('password')),
  );
  const unsent = { path, fields };
  return enteredFields(unsent).length === 0 ? null : unsent;
}

/** True if the sign-in form would be too long with it. */
export function isTooLongToCarry({ fields }: UnsentForm): boolean {
  return fields.toString().length + fields.size * PREFIX.length > CARRIED_BYTES;
}

/** Reads what <UnsentFields> rendered. Null without input, or if no guarded form has the path. */
export function readUnsentForm({
  form,
  formGuard,
}: Pick<PageRequest, 'form' | 'formGuard'>): UnsentForm | null {
  const path = form.get(PATH_FIELD) ?? '';
  const guard = formGuard(path);
  if (guard === null || guard === 'anyone') return null;
  const fields = [...form].filter(([name]) => name.startsWith(PREFIX));
  return captureForm(
    path,
    new FormFields(fields.map(([name, text]) => [name.slice(PREFIX.length), text])),
  );
}

/** Carries the unsent form inside another form. */
export function UnsentFields({ unsent: { path, fields } }: { unsent: UnsentForm }) {
  return (
    <>
      <input type="hidden" name={PATH_FIELD} value={path} />
      <HiddenFields fields={fields} prefix={PREFIX} />
    </>
  );
}

/** The fields as they were submitted, to submit them again. */
export function HiddenFields({ fields, prefix = '' }: { fields: FormFields; prefix?: string }) {
  return (
    <>
      {[...fields].map(([name, text], index) => (
        <input key={index} type="hidden" name={prefix + name} value={text} />
      ))}
    </>
  );
}

/** Asks whether to submit the form as the user who is signed in now. */
export function confirmPage(
  unsent: UnsentForm,
  { email, companyName }: Session,
  { title, sentence }: { readonly title: string; readonly sentence: string },
): PageAnswer {
  const entered = enteredFields(unsent);
  const body = (
    <>
      <PageHead title={title} note={`As ${email}, for ${companyName}`} />
      <Panel title="Not submitted yet" note={unsent.path}>
        <p>{sentence}</p>
        <dl class="facts">
          {entered
            .slice(0, SHOWN_FIELDS)
            .flatMap(([name, text], index) => [
              <dt key={`${index} name`}>{labelOf(name)}</dt>,
              <dd key={`${index} text`}>
                {text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}
              </dd>,
            ])}
        </dl>
        {entered.length > SHOWN_FIELDS && (
          <p class="note">And {entered.length - SHOWN_FIELDS} more fields.</p>
        )}
        <Form action={unsent.path}>
          <HiddenFields fields={unsent.fields} />
          <div class="actions">
            <Button>Submit</Button>
            <ButtonLink href="/" quiet>
              Discard
            </ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}

/** The fields that a person filled in. */
function enteredFields({ fields }: UnsentForm): [string, string][] {
  return [...fields].filter(
    ([name, text]) =>
      text.trim() !== '' &&
      !name.startsWith(GENERATED_PREFIX) &&
      !fields.has(GENERATED_PREFIX + name),
  );
}

/** items.0.unitPrice is "Line 1 unit price". */
function labelOf(name: string): string {
  const words = name
    .replace(/\[\]$/u, '')
    .replace(/^items\.(\d{1,4})\./u, (_, index) => `line ${Number(index) + 1} `)
    .replaceAll(/[A-Z]/gu, letter => ` ${letter.toLowerCase()}`)
    .replace(/\b\w+$/u, word => WORDS.get(word) ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
const WORDS: ReadonlyMap<string, string> = new Map([
  ['qty', 'quantity'],
  ['sku', 'SKU'],
  ['delta', 'on hand'],
]);

// What somebody typed into a form that could not be sent: their session had ended, or was another by then. It is kept in
// hidden fields of the next pages, and nowhere on the server, until they send it themselves or leave it.
import { BODY_LIMIT_BYTES } from '../../platform/http/body.js';
import { MAX_ITEMS } from '../../platform/http/validate.js';
import type { Session } from '../../users/sessions.js';
import { TOKEN_FIELD } from './csrf.js';
import { FORM_LIMIT_BYTES } from './form.js';
import type { PageAnswer, PageRequest } from './page.js';
import { KEY_FIELD } from './submit-write.js';
import { ButtonLink, PageHead, Panel } from './ui/components.js';
import { Button, Form } from './ui/fields.js';

export interface UnsentForm {
  /** Where it was to be sent. */
  readonly path: string;
  readonly fields: URLSearchParams;
}

/** The longest form that there is: an invoice, four fields a line. */
const MAX_FIELDS = 4 * MAX_ITEMS + 20;
/** The longest form and, beside it, what a form of the sign-in may have and the longer names that fields are kept under. */
export const UNSENT_FORM_LIMIT_BYTES = BODY_LIMIT_BYTES + FORM_LIMIT_BYTES;
const SHOWN = 12;
const SHOWN_LENGTH = 120;

const PATH_FIELD = 'keptFor';
const PREFIX = 'kept.';
/** Fields that a form has of itself; a role is chosen by a button too, which alone would not tell whose it is. */
const UNTYPED: ReadonlySet<string> = new Set([
  TOKEN_FIELD,
  KEY_FIELD,
  'once',
  'from',
  'expectedOnHand',
  'role',
  'do',
]);

/** The form as it can be kept: without passwords and the token of its page. Null where nothing was typed then. */
export function captureForm(path: string, form: URLSearchParams): UnsentForm | null {
  const fields = new URLSearchParams(
    [...form].filter(([name]) => name !== TOKEN_FIELD && !name.toLowerCase().includes('password')),
  );
  const kept = { path, fields };
  return typedIn(kept).length === 0 ? null : kept;
}

/** True where it is longer than any form of ours: it is not kept. */
export function isTooLong({ fields }: UnsentForm): boolean {
  return fields.size > MAX_FIELDS || fields.toString().length > BODY_LIMIT_BYTES;
}

/** What a form has kept with <KeptFields>; null where that is nothing, or for what is no form of ours behind a sign-in. */
export function readUnsentForm({
  form,
  formGuard,
}: Pick<PageRequest, 'form' | 'formGuard'>): UnsentForm | null {
  const path = form.get(PATH_FIELD) ?? '';
  const guard = formGuard(path);
  if (guard === null || guard === 'anyone') return null;
  const names = [...form].filter(([name]) => name.startsWith(PREFIX));
  const kept = captureForm(
    path,
    new URLSearchParams(names.map(([name, text]) => [name.slice(PREFIX.length), text])),
  );
  return kept === null || isTooLong(kept) ? null : kept;
}

/** For a form that is sent elsewhere first. */
export function UnsentFields({ kept: { path, fields } }: { kept: UnsentForm }) {
  return (
    <>
      <input type="hidden" name={PATH_FIELD} value={path} />
      <HiddenFields fields={fields} prefix={PREFIX} />
    </>
  );
}

/** As it was sent, to send it again. */
export function HiddenFields({
  fields,
  prefix = '',
}: {
  fields: URLSearchParams;
  prefix?: string;
}) {
  return (
    <>
      {[...fields].map(([name, text], index) => (
        <input key={index} type="hidden" name={prefix + name} value={text} />
      ))}
    </>
  );
}

/** What happened, for whom the page is. */
interface Happening {
  readonly title: string;
  readonly sentence: string;
}

/** Asks whether to send it, as whoever is signed in now. */
export function confirmPage(
  kept: UnsentForm,
  { email, companyName }: Session,
  { title, sentence }: Happening,
): PageAnswer {
  const typed = typedIn(kept);
  const body = (
    <>
      <PageHead title={title} note={`As ${email}, for ${companyName}`} />
      <Panel title="Not sent yet" note={kept.path}>
        <p>{sentence}</p>
        <dl class="facts">
          {typed
            .slice(0, SHOWN)
            .flatMap(([name, text], index) => [
              <dt key={`${index} name`}>{labelOf(name)}</dt>,
              <dd key={`${index} text`}>
                {text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}
              </dd>,
            ])}
        </dl>
        {typed.length > SHOWN && <p class="note">And {typed.length - SHOWN} more fields.</p>}
        <Form action={kept.path}>
          <HiddenFields fields={kept.fields} />
          <div class="actions">
            <Button>Send it now</Button>
            <ButtonLink href="/" quiet>
              Do not send it
            </ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}

function typedIn({ fields }: UnsentForm): [string, string][] {
  return [...fields].filter(([name, text]) => !UNTYPED.has(name) && text.trim() !== '');
}

/** items.0.unitPrice is Line 1 unit price. */
function labelOf(name: string): string {
  const words = name
    .replace(/\[\]$/u, '')
    .replace(/^items\.(\d{1,4})\./u, (_, index) => `line ${Number(index) + 1} `)
    .replaceAll(/[A-Z]/gu, letter => ` ${letter.toLowerCase()}`)
    .replace(/\w+$/u, word => WORDS.get(word) ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
const WORDS: ReadonlyMap<string, string> = new Map([
  ['qty', 'quantity'],
  ['sku', 'SKU'],
  ['delta', 'on hand'],
]);

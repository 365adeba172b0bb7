// What a person reads when something does not work: what happened and what to do. Nothing of the inside.
import { PROBLEMS, type Problem } from '../../../platform/errors.js';
import { Forbidden, type PageAnswer } from '../page.js';
import { HiddenFields, isTooLong, type UnsentForm } from '../unsent-form.js';
import { ButtonLink, Empty } from './components.js';
import { Button, Form } from './fields.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'That address or form cannot be read',
  403: 'Not allowed',
  404: 'There is nothing here',
  405: 'That does not work here',
  413: 'That is too much at once',
  415: 'That cannot be read',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available for the moment',
};

const SENTENCES: Readonly<Record<number, string>> = {
  404: 'The page may have moved, or the address is mistyped.',
  500: 'The fault is ours, and it is in the log. Try again; where it stays, tell whoever runs this installation.',
  503: 'A part of the service is away. Nothing was changed. Try again in a moment.',
};

export interface ErrorAnswer {
  readonly page: PageAnswer;
  /** For the log and the count of refusals. */
  readonly code: string;
}

/** With what was typed, where the same may succeed a moment later. */
export function errorPage(error: Problem | Forbidden, kept: UnsentForm | null = null): ErrorAnswer {
  const isForbidden = error instanceof Forbidden;
  const status = isForbidden ? 403 : PROBLEMS[error.code][0];
  const title = TITLES[status] ?? PROBLEMS.internal_error[1];
  const again = kept !== null && status === 503 && !isTooLong(kept) ? kept : null;
  const body = (
    <>
      <h1 class="unseen">{title}</h1>
      <Empty title={title}>
        <p>{SENTENCES[status] ?? error.message}</p>
        {again && (
          <Form action={again.path} inline>
            <HiddenFields fields={again.fields} />
            <Button>Send it again</Button>
          </Form>
        )}
        <p>
          <ButtonLink href="/" quiet={again !== null}>
            To the start
          </ButtonLink>
        </p>
      </Empty>
    </>
  );
  const headers = isForbidden ? {} : (error.details.headers ?? {});
  return { page: { title, body, status, headers }, code: isForbidden ? 'forbidden' : error.code };
}

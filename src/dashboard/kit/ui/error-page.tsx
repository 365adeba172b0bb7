// Error pages. They say what happened and what to do, without internals.
import { PROBLEMS, type Problem } from '../../../platform/errors.js';
import { Forbidden } from '../access.js';
import type { PageAnswer } from '../page.js';
import { HiddenFields, type UnsentForm } from '../unsent-form.js';
import { ButtonLink, Empty } from './components.js';
import { Button, Form } from './fields.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid address or form',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Not supported',
  413: 'Too large',
  415: 'Unsupported format',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

const SENTENCES: Readonly<Record<number, string>> = {
  404: 'The page may have moved, or the address is mistyped.',
  500:
    'Something went wrong on our side. ' +
    'Try again; if it keeps happening, contact your administrator.',
  503: 'The service is temporarily unavailable. Nothing was changed. Try again in a moment.',
};

export interface ErrorAnswer {
  readonly page: PageAnswer;
  /** The code for the log and the metric of refusals. */
  readonly code: string;
}

/** Offers to submit the unsent form again if the service was only unavailable. */
export function errorPage(
  error: Problem | Forbidden,
  unsent: UnsentForm | null = null,
): ErrorAnswer {
  const isForbidden = error instanceof Forbidden;
  const status = isForbidden ? 403 : PROBLEMS[error.code][0];
  const isRate = !isForbidden && error.code === 'rate_limit_exceeded';
  const title = isRate ? 'Too many requests' : (TITLES[status] ?? PROBLEMS.internal_error[1]);
  const again = unsent !== null && status === 503 ? unsent : null;
  const body = (
    <>
      <h1 class="unseen">{title}</h1>
      <Empty
        title={title}
        icon={status === 404 ? 'search' : 'alert'}
        actions={
          <>
            {again && (
              <Form action={again.path} inline>
                <HiddenFields fields={again.fields} />
                <Button>Submit again</Button>
              </Form>
            )}
            <ButtonLink href="/" quiet={again !== null}>
              Go to overview
            </ButtonLink>
          </>
        }
      >
        <p>{SENTENCES[status] ?? error.message}</p>
      </Empty>
    </>
  );
  const headers = isForbidden ? {} : (error.details.headers ?? {});
  return { page: { title, body, status, headers }, code: isForbidden ? 'forbidden' : error.code };
}

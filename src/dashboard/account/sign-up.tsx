// Signing up: creates a company and its first owner.
import Joi from 'joi';
import { text } from '../../platform/http/input/validate.js';
import { signUp } from '../../users/service.js';
import { type Session, startSession } from '../../users/sessions.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Button, Field, Form, Select } from '../kit/ui/fields.js';
import { currencyOptions, timeZoneOptions } from '../settings/locale-options.js';
import type { Attempts } from './attempts.js';
import { EmailField, NewPasswordField } from './credential-fields.js';

interface SignUpBody {
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly email: string;
  readonly password: string;
}

const signUpBody = Joi.object({
  name: text(255).required(),
  currency: Joi.string().required(),
  timeZone: Joi.string().required(),
  email: text(320).required(),
  password: Joi.string().required(),
});

export function showSignUp({ session }: PageRequest<Session | null>): Answer {
  return session ? { to: '/' } : signUpPage(newForm({ currency: 'USD', timeZone: 'UTC' }));
}

export async function signUpCompany(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const outcome = await submitForm<SignUpBody, string | null>(
    request.form,
    signUpBody,
    async ({ email, password, ...company }) => {
      await attempts.signUp(request.network);
      const { companyId, userId, passwordHash } = await signUp({ company, email, password });
      return startSession(companyId, userId, passwordHash);
    },
  );
  if (!outcome.done) return { ...signUpPage(outcome.state), ...outcome.answer };
  return { to: '/', session: outcome.result, flash: 'Welcome! Your company is ready.' };
}

function signUpPage(state: FormState): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Create your account</h1>
      <Form action="/sign-up" state={state} focusFirst>
        <Field name="name" label="Company name" autocomplete="organization" maxLength={255} />
        <Select
          name="currency"
          label="Currency"
          hint="Used on all invoices. Can’t be changed after the first one."
          options={currencyOptions()}
        />
        <Select
          name="timeZone"
          label="Time zone"
          hint="Used for dates and monthly figures."
          options={timeZoneOptions()}
        />
        <EmailField />
        <NewPasswordField name="password" label="Password" />
        <Button>Create company</Button>
      </Form>
      <p class="note">
        Have an account? <a href="/sign-in">Sign in</a>
      </p>
    </div>
  );
  return { title: 'Sign up', body };
}

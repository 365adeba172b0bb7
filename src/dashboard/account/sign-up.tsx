// Signing up: creates a company and its first owner.
import Joi from 'joi';
import { codeText, text } from '../../platform/http/input/validate.js';
import { MAX_USER_NAME } from '../../users/model.js';
import { signUp } from '../../users/service.js';
import { startSession } from '../../users/sessions.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRoute } from '../kit/page.js';
import { Button, Field, Form, Select } from '../kit/ui/fields.js';
import { currencyOptions, timeZoneOptions } from '../settings/locale-options.js';
import type { Attempts } from './attempts.js';
import { EmailField, NewPasswordField, PersonNameField } from './credential-fields.js';

interface SignUpBody {
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly personName: string | null;
  readonly email: string;
  readonly password: string;
}

const signUpBody = Joi.object({
  name: text(255).required(),
  currency: Joi.string().required(),
  timeZone: Joi.string().required(),
  personName: text(MAX_USER_NAME).default(null),
  email: codeText(320).required(),
  password: Joi.string().required(),
});

export function signUpForm(attempts: Attempts): PageRoute[] {
  return plainForm<SignUpBody, 'anyone'>({
    path: '/sign-up',
    guard: 'anyone',
    initial: ({ session }) =>
      session ? { to: '/' } : newForm({ currency: 'USD', timeZone: 'UTC' }),
    schema: signUpBody,
    save: async ({ personName: name, email, password, ...company }, { network }) => {
      await attempts.signUp(network);
      const { companyId, userId, passwordHash } = await signUp({
        company,
        person: { name, email, password },
      });
      const session = await startSession(companyId, userId, passwordHash);
      return { to: '/', session, flash: 'Welcome! Your company is ready.' };
    },
    page: signUpPage,
  });
}

function signUpPage(state: FormState): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Create your account</h1>
      <Form action="/sign-up" state={state} focusFirst>
        <Field name="name" label="Company name" autocomplete="organization" />
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
        <PersonNameField name="personName" />
        <EmailField />
        <NewPasswordField name="password" label="Password" />
        <Button>Create company</Button>
      </Form>
      <p class="note">
        Have an account? <a href="/sign-in">Sign in</a>
      </p>
    </div>
  );
  // A refused form keeps the zone that its user chose.
  const isNew = state.errors.size === 0 && state.message === undefined;
  return { title: 'Sign up', body, scripts: isNew ? ['own-locale.js'] : [] };
}

// Sign up: a new company and its owner.
import Joi from 'joi';
import { text } from '../../platform/http/validate.js';
import { MIN_PASSWORD } from '../../users/passwords.js';
import { signUp } from '../../users/service.js';
import { type Session, startSession } from '../../users/sessions.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Button, Field, Form, Select } from '../kit/ui/fields.js';
import { CURRENCIES, timeZones } from '../settings/choices.js';
import type { Attempts } from './attempts.js';

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
  const outcome = await submitForm<SignUpBody, string>(
    request.form,
    signUpBody,
    async ({ email, password, ...company }) => {
      await attempts.signUp(request.network);
      const { companyId, userId } = await signUp({ company, email, password });
      return startSession(companyId, userId);
    },
  );
  if (!outcome.done) return { ...signUpPage(outcome.state), ...outcome.answer };
  return { to: '/', session: outcome.result, flash: 'Welcome! Your company is set up.' };
}

function signUpPage(state: FormState): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Set up your company</h1>
      <Form action="/sign-up" state={state}>
        <Field name="name" label="Company name" autocomplete="organization" maxLength={255} />
        <Select
          name="currency"
          label="Currency"
          hint="Of your invoices. It is fixed once there is one."
          options={CURRENCIES}
        />
        <Select
          name="timeZone"
          label="Time zone"
          hint="Where your days and months begin and end."
          options={timeZones()}
        />
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={`At least ${MIN_PASSWORD} characters; a few words make a good one.`}
        />
        <Button>Set up</Button>
      </Form>
      <p class="note">
        Have an account? <a href="/sign-in">Sign in</a>
      </p>
    </div>
  );
  return { title: 'Sign up', body };
}

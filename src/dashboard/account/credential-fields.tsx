// The fields of a name, an e-mail address and a new password, as every form that creates or changes
// a user shows them.
import { MIN_PASSWORD } from '../../users/passwords.js';
import { Field } from '../kit/ui/fields.js';

export function PersonNameField({ name }: { name: string }) {
  return (
    <Field
      name={name}
      label="Your name"
      hint="Your colleagues see it instead of your e-mail address."
      autocomplete="name"
    />
  );
}

export function EmailField() {
  return <Field name="email" label="E-mail address" type="email" autocomplete="username" />;
}

export function NewPasswordField({ name, label }: { name: string; label: string }) {
  return (
    <Field
      name={name}
      label={label}
      type="password"
      autocomplete="new-password"
      hint={`At least ${MIN_PASSWORD} characters; a short phrase works well.`}
    />
  );
}

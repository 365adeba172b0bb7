// The fields of an e-mail address and a new password, as every form that creates a user or changes
// a password shows them.
import { MIN_PASSWORD } from '../../users/passwords.js';
import { Field } from '../kit/ui/fields.js';

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

// The page of a customer's form. Fields that most records leave empty are collapsed.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { FormState } from '../kit/forms/form-state.js';
import { PageContext } from '../kit/ui/components.js';
import { FormActions, FormSection } from '../kit/ui/field-groups.js';
import { Checkbox, Field, Form, FormContext, Hidden, Select, TextArea } from '../kit/ui/fields.js';
import { formatMoney } from '../kit/ui/format.js';
import { OpenedWith } from '../kit/ui/opened-with.js';
import { customerPath } from './customer-view.js';
import { FIELD_NAMES, LABELS } from './fields.js';
import { COUNTRY_OPTIONS, LANGUAGE_OPTIONS, SCHEME_OPTIONS, TAX_OPTIONS } from './options.js';

interface FormProps {
  readonly state: FormState;
  readonly action: string;
  /** Null for a new record. */
  readonly id: string | null;
  /** The record that has a value which was refused because it has it. */
  readonly existingId: string | null;
}

export function CustomerForm({ state, action, id, existingId }: FormProps) {
  return (
    <>
      {existingId !== null && (
        <p class="message">
          <a href={customerPath({ id: existingId })}>Open the record that has it already</a>
        </p>
      )}
      <Form action={action} state={state} wide>
        <div class="panel customer-form">
          <Main isNew={id === null} />
          <AddressFields title="Address" prefix="address" />
          <Terms />
          <Collapsible title="Other names and IDs" fields={['aliases', 'externalId']}>
            <TextArea
              name="aliases"
              label={LABELS.aliases as string}
              hint="One per line. Invoices and payments with such a name belong to this customer."
              rows={3}
            />
            <Text name="externalId" hint="The ID in another system." />
          </Collapsible>
          <Collapsible title="Tax numbers and e-invoices" fields={TAX_FIELDS}>
            <TaxNumbers />
          </Collapsible>
          <Collapsible title="Delivery address" fields={['deliveryAddress.']}>
            <AddressParts prefix="deliveryAddress" />
          </Collapsible>
          <Collapsible title="Note" fields={['note']}>
            <TextArea name="note" label="Note" hint="Never printed." rows={4} />
          </Collapsible>
        </div>
        {id !== null && <OpenedWith names={FIELD_NAMES} />}
        <FormActions
          submit={id === null ? 'Add customer' : 'Save'}
          cancel={id === null ? '/customers' : customerPath({ id })}
        />
      </Form>
    </>
  );
}

interface TextProps {
  readonly name: string;
  readonly hint?: string;
  readonly type?: 'email';
}

/** An optional text with its usual label. */
function Text(props: TextProps) {
  return <Field label={LABELS[props.name] ?? props.name} autocomplete="off" {...props} />;
}

interface CollapsibleProps {
  readonly title: string;
  /** The names of its fields, or the beginning of their names. */
  readonly fields: readonly string[];
  readonly children: ComponentChildren;
}

/** Open if a field has a value or an error. */
function Collapsible({ title, fields, children }: CollapsibleProps) {
  const { values, errors } = useContext(FormContext);
  const isUsed = FIELD_NAMES.some(
    name => fields.some(each => name.startsWith(each)) && (values.get(name) || errors.has(name)),
  );
  return (
    <details class="disclosure" open={isUsed}>
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function Main({ isNew }: { isNew: boolean }) {
  return (
    <FormSection title="Customer">
      <div class="field-pair">
        <Field
          name="name"
          label="Name"
          hint={
            isNew
              ? 'Invoices and payments with this name belong to the customer.'
              : 'After a change, the old name still finds this customer.'
          }
          autocomplete="off"
        />
        <Field
          name="number"
          label="Number"
          hint={isNew ? 'Leave empty for the next number.' : 'Each is used once.'}
          autocomplete="off"
          optional={isNew}
        />
      </div>
      <Text name="legalName" hint="Printed in place of the name." />
      <div class="field-pair">
        <Text name="contactName" />
        <Text name="phone" />
      </div>
      <div class="field-pair">
        <Text name="email" type="email" />
        <TextArea
          name="emailCc"
          label={LABELS.emailCc as string}
          hint="Up to 5 e-mail addresses, one per line."
          rows={2}
        />
      </div>
    </FormSection>
  );
}

function AddressFields({ title, prefix }: { title: string; prefix: string }) {
  return (
    <FormSection title={title}>
      <AddressParts prefix={prefix} />
    </FormSection>
  );
}

function AddressParts({ prefix }: { prefix: string }) {
  const part = (name: string, label: string) => (
    <Field name={`${prefix}.${name}`} label={label} autocomplete="off" />
  );
  return (
    <>
      {part('line1', 'Line 1')}
      <div class="field-pair">
        {part('line2', 'Line 2')}
        {part('line3', 'Line 3')}
      </div>
      <div class="field-pair">
        {part('postalCode', 'Postal code')}
        {part('city', 'City')}
        {part('region', 'State or region')}
      </div>
      <Select
        name={`${prefix}.country`}
        label="Country"
        hint="Required with an address."
        options={COUNTRY_OPTIONS}
      />
    </>
  );
}

function Terms() {
  const mayChangeCredit = useContext(PageContext).may('change-credit');
  return (
    <FormSection title="Terms and credit">
      <div class="field-pair">
        <Field
          name="termsDays"
          label="Payment terms (days)"
          hint="Leave empty for the company’s terms."
          autocomplete="off"
        />
        {mayChangeCredit && (
          <Field
            name="creditLimit"
            label="Credit limit"
            hint="Leave empty for no limit."
            autocomplete="off"
          />
        )}
      </div>
      <div class="field-pair">
        <Field
          name="tax.rate"
          label="Tax rate (%)"
          hint="Leave empty for the company’s rate."
          autocomplete="off"
        />
        <Select
          name="tax.category"
          label="Tax type"
          hint="Standard if there is a rate."
          options={TAX_OPTIONS}
        />
        <Text name="tax.reason" hint="For the type “Exempt”." />
      </div>
      {mayChangeCredit ? (
        <Checkbox name="hold" label="On hold" hint="New invoices are refused." />
      ) : (
        <OwnersCredit />
      )}
    </FormSection>
  );
}

/** The hold and the limit for a person who may not change them. They are sent as they are. */
function OwnersCredit() {
  const { values, errors } = useContext(FormContext);
  const { currency } = useContext(PageContext);
  const [limit, hold] = [values.get('creditLimit') ?? '', values.get('hold') ?? ''];
  const error = errors.get('hold') ?? errors.get('creditLimit');
  return (
    <>
      <Hidden name="creditLimit" value={limit} />
      <Hidden name="hold" value={hold} />
      <p class="note">
        {limit === '' ? 'No credit limit' : `Credit limit: ${shownMoney(limit, currency)}`}
        {hold === 'true' && ' · On hold'}. Only an owner can change this.
      </p>
      {error && <p class="error">{error}</p>}
    </>
  );
}

/** The amount; text that a form was refused for stays as it was typed. */
function shownMoney(text: string, currency: string): string {
  return Number.isNaN(Number(text)) ? text : formatMoney(text, currency);
}

const TAX_FIELDS = ['taxId', 'registrationId', 'electronicAddress.', 'buyerReference', 'language'];

function TaxNumbers() {
  return (
    <>
      <div class="field-pair">
        <Text name="taxId" hint="Letters A to Z and digits." />
        <Text name="registrationId" hint="Such as in a trade register." />
      </div>
      <div class="field-pair">
        <Select
          name="electronicAddress.scheme"
          label="Electronic address: scheme"
          hint="A code of the EAS list, such as 9930."
          options={SCHEME_OPTIONS}
        />
        <Text name="electronicAddress.id" hint="For e-invoices." />
      </div>
      <div class="field-pair">
        <Text name="buyerReference" hint="Printed on invoices, such as a routing ID." />
        <Select name="language" label="Language" hint="Of documents." options={LANGUAGE_OPTIONS} />
      </div>
    </>
  );
}

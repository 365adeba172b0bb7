// The page of a customer's form. Fields that most records leave empty are collapsed.
import { useContext } from 'preact/hooks';
import type { InvoiceSettings } from '../../invoices/defaults.js';
import { FormContext } from '../kit/forms/form-context.js';
import type { FormState } from '../kit/forms/form-state.js';
import { PageContext } from '../kit/ui/components.js';
import { FieldCard, FormActions } from '../kit/ui/field-groups.js';
import { Checkbox, Field, Form, Hidden, Select, TextArea } from '../kit/ui/fields.js';
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
  /** The company's terms, which apply where the customer has none. */
  readonly company: CompanyTerms;
}

type CompanyTerms = Pick<InvoiceSettings, 'termsDays' | 'defaultTaxRate'>;

export function CustomerForm({ state, action, id, company }: FormProps) {
  return (
    <Form action={action} state={state} wide mostlyOptional focusFirst={id === null}>
      <section class="panel" aria-label="Customer">
        <Main isNew={id === null} />
      </section>
      <div class="customer-cards">
        <FieldCard title="Contact" about="Person, phone, e-mail" fields={CONTACT_FIELDS}>
          <Contact />
        </FieldCard>
        <FieldCard title="Address" about="Printed on documents" fields={['address.']}>
          <AddressParts prefix="address" />
        </FieldCard>
        <FieldCard title="Delivery address" about="Where goods go" fields={['deliveryAddress.']}>
          <AddressParts prefix="deliveryAddress" />
        </FieldCard>
        <FieldCard
          title="Terms and credit"
          about="Payment terms, limit, hold, tax"
          fields={TERM_FIELDS}
        >
          <Terms company={company} />
        </FieldCard>
        <FieldCard
          title="Tax numbers and e-invoices"
          about="Tax ID, references"
          fields={TAX_FIELDS}
        >
          <TaxNumbers />
        </FieldCard>
        <FieldCard
          title="Other names and IDs"
          about="Names that mean this customer"
          fields={['aliases', 'externalId']}
        >
          <TextArea
            name="aliases"
            label={LABELS.aliases as string}
            hint="One per line. Invoices and payments with such a name belong to this customer."
            rows={3}
          />
          <Text name="externalId" hint="The ID in another system." />
        </FieldCard>
        <FieldCard title="Note" about="Never printed" fields={['note']}>
          <TextArea name="note" label="Note" hint="Never printed." rows={4} />
        </FieldCard>
      </div>
      {id !== null && <OpenedWith names={FIELD_NAMES} />}
      <FormActions
        submit={id === null ? 'Add customer' : 'Save'}
        cancel={id === null ? '/customers' : customerPath({ id })}
      />
    </Form>
  );
}

const CONTACT_FIELDS = ['contactName', 'phone', 'email', 'emailCc'];
const TERM_FIELDS = ['termsDays', 'creditLimit', 'tax.', 'hold'];

interface TextProps {
  readonly name: string;
  readonly hint?: string;
  readonly type?: 'email';
}

/** An optional text with its usual label. */
function Text(props: TextProps) {
  return <Field label={LABELS[props.name] ?? props.name} autocomplete="off" {...props} />;
}

function Main({ isNew }: { isNew: boolean }) {
  return (
    <>
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
          hint={isNew ? 'Printed. Leave empty for the next number.' : 'Printed. Each is used once.'}
          autocomplete="off"
          optional={isNew}
        />
      </div>
      <Text name="legalName" hint="Printed in place of the name." />
    </>
  );
}

function Contact() {
  return (
    <>
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
    </>
  );
}

function AddressParts({ prefix }: { prefix: string }) {
  const part = (name: string, label: string) => (
    <Field name={`${prefix}.${name}`} label={label} autocomplete="off" />
  );
  return (
    <>
      <Select
        name={`${prefix}.country`}
        label="Country"
        hint="Required with an address."
        options={COUNTRY_OPTIONS}
      />
      {part('line1', 'Street and number')}
      <div class="field-pair">
        {part('line2', 'Second line')}
        {part('line3', 'Third line')}
      </div>
      <div class="field-pair">
        {part('postalCode', 'Postal code')}
        {part('city', 'City')}
        {part('region', 'State or region')}
      </div>
    </>
  );
}

function Terms({ company: { termsDays, defaultTaxRate } }: { company: CompanyTerms }) {
  const mayChangeCredit = useContext(PageContext).may('change-credit');
  return (
    <>
      <div class="field-pair">
        <Field
          name="termsDays"
          label="Payment terms (days)"
          placeholder={`${termsDays ?? 'No due date'}, company default`}
          autocomplete="off"
        />
        {mayChangeCredit && (
          <Field
            name="creditLimit"
            label="Credit limit"
            placeholder="No limit"
            autocomplete="off"
          />
        )}
      </div>
      <div class="field-pair">
        <Field
          name="tax.rate"
          label="Tax rate (%)"
          placeholder={`${defaultTaxRate ?? 'No tax'}, company default`}
          autocomplete="off"
        />
        <Select
          name="tax.category"
          label="Tax type"
          hint="Standard if there is a rate."
          options={TAX_OPTIONS}
        />
        <Text name="tax.reason" hint="Printed. For the type “Exempt”." />
      </div>
      {mayChangeCredit ? (
        <Checkbox name="hold" label="On hold" hint="New invoices are refused." />
      ) : (
        <OwnersCredit />
      )}
    </>
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
        <Text name="taxId" hint="Printed. Letters A to Z and digits." />
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
        <Text name="buyerReference" hint="Printed on documents, such as a routing ID." />
        <Select name="language" label="Language" hint="Of documents." options={LANGUAGE_OPTIONS} />
      </div>
    </>
  );
}

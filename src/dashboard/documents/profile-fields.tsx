// The fields of the profile's form, in sections.
import { PAPERS, UNTAXED_CATEGORIES } from '../../companies/profile/profile.js';
import {
  COUNTRY_OPTIONS,
  LANGUAGE_OPTIONS,
  SCHEME_OPTIONS,
  TAX_TYPES,
} from '../customers/options.js';
import { IfMay } from '../kit/ui/components.js';
import { FormSection } from '../kit/ui/field-groups.js';
import { Field, Select, TextArea } from '../kit/ui/fields.js';

const text = (name: string, label: string, hint?: string) => (
  <Field name={name} label={label} autocomplete="off" {...(hint === undefined ? {} : { hint })} />
);

export function SellerFields({ name }: { name: string }) {
  return (
    <>
      <FormSection title="Company">
        {text('legalName', 'Legal name', `Leave empty for ${name}.`)}
        {text('address.line1', 'Address line 1')}
        <div class="field-pair">
          {text('address.line2', 'Line 2')}
          {text('address.line3', 'Line 3')}
        </div>
        <div class="field-pair">
          {text('address.postalCode', 'Postal code')}
          {text('address.city', 'City')}
          {text('address.region', 'State or region')}
        </div>
        <Select name="address.country" label="Country" options={COUNTRY_OPTIONS} />
      </FormSection>
      <FormSection title="Tax and registration">
        <div class="field-pair">
          {text('taxId', 'VAT ID', 'With the code of its country, such as DE123456789.')}
          {text('taxNumber', 'Tax number', 'If you have no VAT ID.')}
        </div>
        {text('registrationId', 'Registration number', 'Such as in a trade register.')}
        <div class="field-pair">
          <Select
            name="electronicAddress.scheme"
            label="Electronic address: scheme"
            options={SCHEME_OPTIONS}
          />
          {text('electronicAddress.id', 'Electronic address', 'For e-invoices.')}
        </div>
        <div class="field-pair">
          <Select
            name="untaxed.category"
            label="Invoices without tax are"
            options={UNTAXED_CATEGORIES.map(value => ({ value, label: TAX_TYPES[value] }))}
          />
          {text('untaxed.reason', 'Reason', 'Printed on invoices without tax.')}
        </div>
      </FormSection>
      <FormSection title="Contact">
        {text('contactName', 'Contact person')}
        <div class="field-pair">
          {text('email', 'E-mail')}
          {text('phone', 'Phone')}
        </div>
        {text('emailCopy', 'Copy of e-mails to', 'Gets a copy of each e-mail with a document.')}
      </FormSection>
    </>
  );
}

export function PaymentFields() {
  return (
    <FormSection title="Payment">
      {text('bankName', 'Bank')}
      <div class="field-pair">
        {text('iban', 'IBAN', 'A new one needs your password.')}
        {text('bic', 'BIC')}
      </div>
      <IfMay permission="change-settings">
        <Field
          name="currentPassword"
          label="Your password"
          hint="Only for a new IBAN."
          type="password"
          autocomplete="current-password"
          optional
        />
      </IfMay>
      <Select
        name="paymentQr"
        label="Payment code"
        hint="A QR code that banking apps read, on invoices in EUR."
        options={[
          { value: 'none', label: 'None' },
          { value: 'epc', label: 'SEPA transfer (EPC)' },
        ]}
      />
      <TextArea name="paymentTerms" label="Payment terms" rows={2} />
    </FormSection>
  );
}

export function PageFields() {
  return (
    <FormSection title="Pages">
      <TextArea name="footer" label="Closing text" rows={2} />
      <div class="field-pair">
        <Select
          name="language"
          label="Language"
          hint="Unless the customer has another one."
          options={LANGUAGE_OPTIONS.filter(({ value }) => value !== '')}
        />
        <Select
          name="paper"
          label="Paper"
          options={PAPERS.map(value => ({ value, label: value === 'a4' ? 'A4' : 'Letter' }))}
        />
      </div>
    </FormSection>
  );
}

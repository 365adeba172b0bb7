// The company record: its name and the settings that its requests follow.
import { defineModel, type ModelRow } from '../platform/db/models.js';
import type { CsvFormat } from '../platform/values/csv.js';
import type { Actor } from './actor.js';
import type { CreditLimitAction } from './credit-limit-action.js';

export interface CompanyRow {
  id: string;
  name: string;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timeZone: string;
  allowNegativeStock: boolean;
  /** Requests per hour; null for the environment's default. */
  rateLimitPerHour: number | null;
  /** Precedes the number of new invoices. Issued ones keep theirs. */
  invoicePrefix: string;
  nextInvoiceNumber: string;
  nextEntrySequence: string;
  /** Precedes the number of new credit notes. Issued ones keep theirs. */
  creditNotePrefix: string;
  /** Days from an invoice's date to its due date, unless it has its own; null for none. */
  termsDays: number | null;
  /** Decimal text, in percent: the tax of invoices whose lines have none; null for no tax. */
  defaultTaxRate: string | null;
  /** For invoices above a customer's credit limit. Change it with customer-records/settings.ts. */
  creditLimitAction: CreditLimitAction;
  /** The format of CSV downloads. */
  csvFormat: CsvFormat;
  /** Null beside a time: an operator's command made the change. */
  settingsChangedBy: Actor | null;
  /** Null: never changed. */
  settingsChangedAt: Date | null;
  /** Items that are not archived. */
  itemCount: string;
  /** An owner has hidden the list of first steps. */
  firstStepsHidden: boolean;
}

export type Company = ModelRow<CompanyRow>;

export const companyModel = defineModel<CompanyRow>('companies', types => ({
  id: { type: types.UUID, primaryKey: true },
  name: types.TEXT,
  currency: types.CHAR(3),
  timeZone: types.TEXT,
  allowNegativeStock: types.BOOLEAN,
  rateLimitPerHour: types.INTEGER,
  invoicePrefix: types.TEXT,
  nextInvoiceNumber: types.BIGINT,
  nextEntrySequence: types.BIGINT,
  creditNotePrefix: types.TEXT,
  termsDays: types.SMALLINT,
  defaultTaxRate: types.DECIMAL(7, 4),
  creditLimitAction: types.TEXT,
  csvFormat: types.TEXT,
  settingsChangedBy: types.JSON,
  settingsChangedAt: types.DATE,
  itemCount: types.BIGINT,
  firstStepsHidden: types.BOOLEAN,
}));

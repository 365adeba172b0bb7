// The company record: its name and the settings that its requests follow.

import { defineModel, type ModelRecord } from '../platform/db/models.js';
import type { Actor } from './actor.js';

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
  /** Null with a time: an operator's command. */
  settingsChangedBy: Actor | null;
  /** Null: never changed. */
  settingsChangedAt: Date | null;
}

export type Company = ModelRecord<CompanyRow>;

export const companyModel = defineModel<CompanyRow>('companies', types => ({
  id: { type: types.UUID, primaryKey: true },
  name: types.TEXT,
  currency: types.CHAR(3),
  timeZone: types.TEXT,
  allowNegativeStock: types.BOOLEAN,
  rateLimitPerHour: types.INTEGER,
  invoicePrefix: types.TEXT,
  nextInvoiceNumber: types.BIGINT,
  settingsChangedBy: types.JSON,
  settingsChangedAt: types.DATE,
}));

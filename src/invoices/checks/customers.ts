// Finds the records of the customers that requests name: by id, which stands for the record's name,
// and by name for the terms and the tax that a request leaves to the record.
import { readRemaining } from '../../customers/names/names.js';
import {
  type CustomerTerms,
  findTerms,
  TERMS_COLUMNS,
  type TermsState,
} from '../../customers/names/terms.js';
import { isUuid } from '../../platform/values/ids.js';
import { matchKey, possibleText } from '../../platform/values/text.js';
import { type InvoiceSettings, settingsFor } from '../defaults.js';
import { isGiven } from '../tax.js';

/** The customer of a request. */
export interface RequestCustomer {
  /** The settings of the company, with the terms and the tax of the record. */
  readonly settings: InvoiceSettings;
  /** The name of the record with the `customerId`; absent without a `customerId`. */
  readonly name?: string;
  /** True if no record in use has the `customerId`. */
  readonly isUnknown?: boolean;
}

/** The company of a request, which its API key or its session knows. */
export interface InvoicingCompany extends InvoiceSettings, TermsState {}

interface OpenRequest {
  readonly customerName?: unknown;
  readonly customerId?: unknown;
  readonly dueDate?: unknown;
  readonly items?: unknown;
}

interface RecordRow extends CustomerTerms {
  readonly name: string;
  readonly archived: boolean;
}

const MAX_NAME = 255;

/** The customers of requests, in their order. Bodies may be invalid. */
export async function findCustomers(
  company: InvoicingCompany,
  bodies: readonly unknown[],
): Promise<RequestCustomer[]> {
  const requests = bodies.map(body => (body ?? {}) as OpenRequest);
  const ids = requests.flatMap(request => idOf(request) ?? []);
  if (ids.length === 0 && company.customersWithTerms === 0)
    return bodies.map(() => ({ settings: company }));
  const records = await readRecords(company.companyId, ids);
  return Promise.all(
    requests.map(async (request): Promise<RequestCustomer> => {
      const id = idOf(request);
      if (id === null) return { settings: await settingsByName(company, request) };
      const record = records.get(id);
      return record && !record.archived
        ? { settings: settingsFor(company, record), name: record.name }
        : { settings: company, isUnknown: true };
    }),
  );
}

function readRecords(companyId: string, ids: readonly string[]): Promise<Map<string, RecordRow>> {
  return readRemaining<RecordRow>(companyId, ids, `c.name, c.archived, ${TERMS_COLUMNS}`);
}

/** A valid `customerId`; null without one. */
function idOf({ customerId }: OpenRequest): string | null {
  return typeof customerId === 'string' && isUuid(customerId) ? customerId.toLowerCase() : null;
}

async function settingsByName(
  company: InvoicingCompany,
  request: OpenRequest,
): Promise<InvoiceSettings> {
  const { customerName, dueDate, items } = request;
  const isTaxed = Array.isArray(items) && items.some(line => isGiven(line?.taxRate));
  if (isTaxed && isGiven(dueDate)) return company;
  const name = possibleText(customerName, MAX_NAME);
  return name === null ? company : settingsFor(company, await findTerms(company, matchKey(name)));
}

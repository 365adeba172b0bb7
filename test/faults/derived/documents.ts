// A company's documents and items, page by page through the API.
import type { TestCompany } from '../../support/factories.js';

export interface Tax {
  readonly category: string;
  readonly rate: number;
  readonly base: number;
  readonly amount: number;
}

export interface Invoice {
  readonly id: string;
  readonly customerName: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly amountDue: number;
  readonly subtotal: number;
  readonly taxes: readonly Tax[];
  readonly total: number;
  readonly items: readonly {
    readonly itemId: string | null;
    readonly name: string;
    readonly qty: number;
    readonly amount: number;
  }[];
}

export interface CreditNote extends Omit<Invoice, 'items' | 'dueDate' | 'amountDue'> {
  readonly invoiceId: string;
  readonly unallocated: number;
  readonly items: readonly {
    /** The invoice's line, counted from 1. */
    readonly line: number;
    readonly itemId: string | null;
    /** Null for a credit by amount. */
    readonly qty: number | null;
    readonly amount: number;
    readonly restocked: boolean;
  }[];
}

export interface Documents {
  readonly invoices: readonly Invoice[];
  readonly creditNotes: readonly CreditNote[];
  readonly payments: readonly {
    readonly customerName: string;
    readonly date: string;
    readonly amount: number;
    readonly unallocated: number;
  }[];
  /** Archived ones, too. */
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly onHand: number;
  }[];
}

export async function readDocuments(company: TestCompany): Promise<Documents> {
  const [invoices, creditNotes, payments, active, archived] = await Promise.all([
    readAll(company, '/invoices?limit=200'),
    readAll(company, '/credit-notes?limit=200'),
    readAll(company, '/payments?limit=200'),
    readAll(company, '/inventory?limit=200'),
    readAll(company, '/inventory?limit=200&archived=1'),
  ]);
  return { invoices, creditNotes, payments, items: [...active, ...archived] };
}

async function readAll(company: TestCompany, start: string) {
  const rows = [];
  for (let path: string | undefined = start; path !== undefined; ) {
    // Checking thousands of documents against the OpenAPI document would take longer than the run.
    const { status, body, headers } = await company.get(path, { unchecked: true });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    rows.push(...body);
    const [, next] = /<[^>]*\/api\/external([^>]+)>; rel="next"/u.exec(String(headers.link)) ?? [];
    path = next;
  }
  return rows;
}

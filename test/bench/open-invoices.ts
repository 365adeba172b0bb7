// Finds invoices that a run can pay or credit. Earlier runs have settled others.
import type { LoadPlan } from './load.js';
import type { OpenInvoice } from './workloads.js';

/** More than a run of 15 s settles. A run whose invoices are used up measures something else. */
const WANTED = 40_000;
const PAGE = 200;

/** Open invoices without an entry, of all companies alternately. */
export async function readOpenInvoices({ world, ports }: LoadPlan): Promise<OpenInvoice[]> {
  const wanted = Math.ceil(WANTED / world.companies.length);
  const found = await Promise.all(
    world.companies.map(({ key }) => readOpen(`http://127.0.0.1:${ports[0]}`, key, wanted)),
  );
  const longest = Math.max(...found.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    found.flatMap(invoices => invoices[index] ?? []),
  ).flat();
}

async function readOpen(server: string, key: string, wanted: number): Promise<OpenInvoice[]> {
  const invoices: OpenInvoice[] = [];
  let path: string | undefined = `/api/external/invoices?status=open&limit=${PAGE}`;
  while (path !== undefined && invoices.length < wanted) {
    const response: Response = await fetch(server + path, { headers: { 'x-api-key': key } });
    const page = (await response.json()) as Record<'id' | 'total' | 'amountDue', string>[];
    for (const { id, total, amountDue } of page)
      if (total === amountDue) invoices.push({ key, id, due: Number(total) });
    const next = /<([^>]+)>; rel="next"/u.exec(response.headers.get('link') ?? '')?.[1];
    path = next?.slice(next.indexOf('/api/'));
  }
  return invoices;
}

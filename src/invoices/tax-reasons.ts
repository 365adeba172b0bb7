// The reasons that an invoice gives for a tax category without tax. Pure: browsers also use it.

/** `E` has the reason of the request. */
const REASONS: Readonly<Record<string, string>> = {
  AE: 'Reverse charge',
  K: 'Intra-community supply',
  G: 'Export outside the EU',
  O: 'Not subject to VAT',
};

export function reasonOf(category: string, taxReason: string | null): string | null {
  return category === 'E' ? taxReason : (REASONS[category] ?? null);
}

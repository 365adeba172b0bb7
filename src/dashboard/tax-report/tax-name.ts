// The names of taxes in the report, on its page and in its file.
import { NO_TAX } from '../../summary/tax/fold.js';
import { formatQuantity } from '../kit/ui/format.js';

const CATEGORIES: Readonly<Record<string, string>> = {
  [NO_TAX]: 'No tax',
  Z: 'Zero-rated',
  E: 'Exempt',
  AE: 'Reverse charge',
  K: 'Intra-EU supply',
  G: 'Export outside the EU',
  O: 'Not subject to tax',
};

/** Standard 19%, Exempt, No tax. */
export function taxName({ category, rate }: { category: string; rate: string }): string {
  return CATEGORIES[category] ?? `Standard ${formatQuantity(rate)}%`;
}

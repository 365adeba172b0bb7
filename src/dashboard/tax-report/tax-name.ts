// The names of taxes in the report, on its page and in its file.
import { NO_TAX } from '../../summary/tax/roll-up.js';
import { taxTypeName } from '../customers/options.js';
import { formatQuantity } from '../kit/ui/format.js';

/** Standard rate 19%, Exempt, No tax. */
export function taxName({ category, rate }: { category: string; rate: string }): string {
  if (category === NO_TAX) return 'No tax';
  const name = taxTypeName(category);
  return category === 'S' ? `${name} ${formatQuantity(rate)}%` : name;
}

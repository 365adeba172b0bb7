// The names of the rows that fill the database. Load processes import this file alone, because the
// one that fills the database loads most of the product.

/** The n-th customer of a company, from 1. */
export function customerName(index: number): string {
  return `Customer ${index}`;
}

export function itemName(index: number): string {
  return `Item ${String(index).padStart(6, '0')}`;
}

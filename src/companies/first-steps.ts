// The progress of a new company, for the list of first steps on the overview.
import { companyModel } from './model.js';

export interface Progress {
  readonly hasItems: boolean;
  readonly hasInvoices: boolean;
  /** An owner has hidden the list. */
  readonly isHidden: boolean;
}

/** Null if there is no such company. */
export async function readProgress(companyId: string): Promise<Progress | null> {
  const company = await companyModel().findByPk(companyId);
  if (!company) return null;
  return {
    hasItems: company.itemCount !== '0',
    hasInvoices: company.nextInvoiceNumber !== '1',
    isHidden: company.firstStepsHidden,
  };
}

/** Hides the list for everyone in the company. */
export async function hideFirstSteps(id: string): Promise<void> {
  await companyModel().update({ firstStepsHidden: true }, { where: { id } });
}

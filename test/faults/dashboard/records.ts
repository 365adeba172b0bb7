// The forms and imports that dashboard users sent in a run, and the outcomes that they were told.
import type { Answer } from '../journal.js';

export type Outcome = 'done' | 'refused';
export type FormType = 'correct' | 'save' | 'issue' | 'delete';

/** A form that one or more requests sent. */
export interface SentForm {
  readonly companyId: string;
  readonly type: FormType;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Of the responses that told one. */
  readonly outcomes: Outcome[];
}

/** Item ids with quantities. */
export type Quantities = ReadonlyMap<string, number>;

export interface CorrectionRecord extends SentForm {
  readonly deliveryId: string;
  /** The note of the correction. */
  readonly mark: string;
  /** The number of corrections and the quantities that the form showed. */
  readonly after: number;
  readonly shown: Quantities;
  readonly wanted: Quantities;
}

export interface DraftRecord {
  readonly companyId: string;
  readonly id: string;
  /** The reference of its invoice. */
  readonly mark: string;
  /** The forms of the tabs that opened its first version. */
  readonly sent: readonly SentForm[];
}

export interface ImportedRow {
  readonly name: string;
  readonly delta: number;
  readonly unitCost: number;
  /** True if the import creates the item, which no other write names. */
  readonly isNew: boolean;
}

export interface ImportRecord {
  readonly companyId: string;
  readonly id: string;
  readonly rows: readonly ImportedRow[];
  /** A response acknowledged the start, or the request to undo. */
  isStarted: boolean;
  isUndoRequested: boolean;
}

export class Records {
  readonly corrections: CorrectionRecord[] = [];
  readonly drafts: DraftRecord[] = [];
  readonly imports: ImportRecord[] = [];

  get forms(): SentForm[] {
    return [...this.corrections, ...this.drafts.flatMap(({ sent }) => sent)];
  }
}

/** The outcome of a form; undefined while no response told it. */
export function outcomeOf({ outcomes }: SentForm): Outcome | undefined {
  return outcomes.includes('done') ? 'done' : outcomes[0];
}

/** Where a form redirects that was carried out. */
const DONE: Readonly<Record<FormType, RegExp>> = {
  correct: /^\/inventory\/deliveries\/[0-9a-f-]{36}$/u,
  save: /^\/invoices\/new\?draft=[0-9a-f-]{36}$/u,
  issue: /^\/invoices\/[0-9a-f-]{36}$/u,
  delete: /^\/invoices\/drafts$/u,
};

/** Null for a job page and for an answer that does not tell the outcome. */
export function toldOutcome(type: FormType, answer: Answer | null): Outcome | null {
  if (answer?.status === 303) return DONE[type].test(answer.location ?? '') ? 'done' : null;
  // A draft that is gone has no page.
  return answer?.status === 422 || answer?.status === 404 ? 'refused' : null;
}

// The actions of the adjust form and the reasons for each. The form has one list of reasons per
// action, and only the list of the chosen action counts.
import type { Reason } from '../../inventory/schema.js';

export type Action = 'add' | 'take' | 'count';

export const ACTIONS: readonly { readonly value: Action; readonly label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'take', label: 'Remove' },
  { value: 'count', label: 'Set count' },
];

interface ReasonOption {
  readonly value: Reason | '';
  readonly label: string;
}

const NOT_CHOSEN: ReasonOption = { value: '', label: 'Choose a reason' };

/** The first option is the default. Removing stock has none, since any would often be wrong. */
export const STOCK_REASON_OPTIONS: Readonly<Record<Action, readonly ReasonOption[]>> = {
  add: [
    { value: 'received', label: 'Received from supplier' },
    { value: 'returned', label: 'Returned by customer' },
    { value: 'transfer', label: 'Transferred in' },
    { value: 'correction', label: 'Correction' },
    { value: 'other', label: 'Other' },
  ],
  take: [
    NOT_CHOSEN,
    { value: 'damaged', label: 'Damaged' },
    { value: 'lost', label: 'Lost' },
    { value: 'theft', label: 'Stolen' },
    { value: 'returned', label: 'Returned to supplier' },
    { value: 'transfer', label: 'Transferred out' },
    { value: 'correction', label: 'Correction' },
    { value: 'other', label: 'Other' },
  ],
  count: [
    { value: 'count', label: 'Stock count' },
    { value: 'correction', label: 'Correction' },
  ],
};

/** The name of the action's list of reasons in the form. */
export function reasonField(action: Action): string {
  return `${action}Reason`;
}

/** The reasons that the action can have. */
export function reasonsOf(action: Action): Reason[] {
  return STOCK_REASON_OPTIONS[action].flatMap(({ value }) => (value === '' ? [] : [value]));
}

// The roles of a company's users, and the one table of what each role may do. A page or form of the
// dashboard takes one of these permissions as its guard. API keys have scopes instead.

export const ROLES = ['owner', 'member', 'warehouse', 'readonly'] as const;
export type Role = (typeof ROLES)[number];

interface Grant {
  /** The end of the sentence "This role may …". */
  readonly text: string;
  readonly roles: readonly Role[];
}

/**
 * A page with any amount of money takes a permission of sales or prices, even if it is about stock.
 * docs/roles.md repeats this table.
 */
export const PERMISSIONS = {
  'use-account': { text: 'Sign in and manage their own account', roles: ROLES },
  'see-stock': { text: 'See items, stock and movements', roles: ROLES },
  'change-stock': {
    text: 'Add items, receive deliveries, count and adjust stock',
    roles: ['owner', 'member', 'warehouse'],
  },
  'see-prices': { text: 'See prices and costs of items', roles: ['owner', 'member', 'readonly'] },
  'set-prices': { text: 'Set prices and costs, import lists', roles: ['owner', 'member'] },
  'see-sales': {
    text: 'See the overview, invoices, payments, credit notes and receivables',
    roles: ['owner', 'member', 'readonly'],
  },
  'change-sales': {
    text: 'Create, credit and void invoices, record payments and refunds',
    roles: ['owner', 'member'],
  },
  'see-names': { text: 'See the names of customers', roles: ROLES },
  'see-customers': {
    text: 'See customers and export them',
    roles: ['owner', 'member', 'readonly'],
  },
  'change-customers': {
    text: 'Add, change, merge and import customers',
    roles: ['owner', 'member'],
  },
  'change-credit': { text: 'Change holds and credit limits of customers', roles: ['owner'] },
  'ignore-credit': { text: 'Ignore a hold or credit limit', roles: ['owner'] },
  'see-settings': { text: 'See company settings', roles: ['owner', 'readonly'] },
  'change-settings': { text: 'Change company settings', roles: ['owner'] },
  'manage-keys': { text: 'Manage API keys, see events', roles: ['owner'] },
  'manage-members': { text: 'Invite and manage members', roles: ['owner'] },
} as const satisfies Readonly<Record<string, Grant>>;

export type Permission = keyof typeof PERMISSIONS;

/** True if users with the role have the permission. */
export function may(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission].roles as readonly Role[]).includes(role);
}

/** The role with this name; undefined for any other text. */
export function findRole(name: string): Role | undefined {
  return ROLES.find(role => role === name);
}

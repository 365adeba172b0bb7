// The records of API keys and of their secrets, which are stored as hashes.
import { defineModel, type ModelRow } from '../platform/db/models.js';

export const SCOPES = [
  'summary:read',
  'invoices:read',
  'invoices:write',
  'inventory:read',
  'inventory:write',
  'payments:read',
  'payments:write',
  'credits:write',
  'customers:read',
  'customers:write',
  'documents:send',
  'events:read',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];
/** The scopes of a new key, unless its creator chooses others. Later scopes are not among them. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.slice(0, 5);

interface ApiKeyRow {
  companyId: string;
  id: string;
  /** The id of the form that created the key; null for a command. */
  once: string | null;
  name: string;
  scopes: Scope[];
  /** Null: the scopes have not changed since the key was created. */
  scopesChangedAt: Date | null;
  /** A user; null for an operator's command. */
  scopesChangedBy: string | null;
  /** A user; null for an operator's command. */
  createdBy: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** A user; null for an operator's command. */
  revokedBy: string | null;
}

export type ApiKey = ModelRow<ApiKeyRow>;

export const apiKeyModel = defineModel<ApiKeyRow>('api_keys', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  once: types.UUID,
  name: types.TEXT,
  scopes: types.ARRAY(types.TEXT),
  scopesChangedAt: types.DATE,
  scopesChangedBy: types.UUID,
  createdBy: types.UUID,
  createdAt: types.DATE,
  lastUsedAt: types.DATE,
  expiresAt: types.DATE,
  revokedAt: types.DATE,
  revokedBy: types.UUID,
}));

interface SecretRow {
  companyId: string;
  /** The public part of the key. */
  id: string;
  apiKeyId: string;
  hash: Buffer;
  /** The end of a rotated secret's overlap; null for the current secret. */
  validUntil: Date | null;
  /** The user who created or rotated the key; null for an operator's command. */
  createdBy: string | null;
}

export const secretModel = defineModel<SecretRow>('api_key_secrets', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.TEXT, primaryKey: true },
  apiKeyId: types.UUID,
  hash: types.BLOB,
  validUntil: types.DATE,
  createdBy: types.UUID,
}));

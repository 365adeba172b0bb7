// The key record: everything about an API key but its secrets, which are hashes in api_key_secrets.
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export const SCOPES = [
  'summary:read',
  'invoices:read',
  'invoices:write',
  'inventory:read',
  'inventory:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export class ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  declare companyId: string;
  declare id: string;
  declare name: string;
  declare scopes: Scope[];
  declare createdBy: string | null;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date | null>;
  declare expiresAt: Date | null;
  declare revokedAt: CreationOptional<Date | null>;
}

export function defineApiKey(sequelize: Sequelize): void {
  ApiKey.init(
    {
      companyId: { type: DataTypes.UUID, primaryKey: true },
      id: { type: DataTypes.UUID, primaryKey: true },
      name: DataTypes.TEXT,
      scopes: DataTypes.ARRAY(DataTypes.TEXT),
      createdBy: DataTypes.UUID,
      createdAt: DataTypes.DATE,
      lastUsedAt: DataTypes.DATE,
      expiresAt: DataTypes.DATE,
      revokedAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'api_keys', underscored: true, timestamps: false },
  );
}

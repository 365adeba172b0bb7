// The company record: whose data a request acts on, and the settings that decide how.
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export class Company extends Model<InferAttributes<Company>, InferCreationAttributes<Company>> {
  declare id: string;
  declare name: string;
  declare currency: string;
  declare timeZone: string;
  declare allowNegativeStock: CreationOptional<boolean>;
  /** Requests an hour; null for the environment's default. */
  declare rateLimitPerHour: number | null;
  declare invoicePrefix: CreationOptional<string>;
  declare nextInvoiceNumber: CreationOptional<string>;
}

export function defineCompany(sequelize: Sequelize): void {
  Company.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      name: DataTypes.TEXT,
      currency: DataTypes.CHAR(3),
      timeZone: DataTypes.TEXT,
      allowNegativeStock: DataTypes.BOOLEAN,
      rateLimitPerHour: DataTypes.INTEGER,
      invoicePrefix: DataTypes.TEXT,
      nextInvoiceNumber: DataTypes.BIGINT,
    },
    { sequelize, tableName: 'companies', underscored: true, timestamps: false },
  );
}

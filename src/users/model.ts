// The people of a company.
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export type Role = 'owner' | 'member';

export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  declare companyId: string;
  declare id: string;
  declare email: string;
  declare passwordHash: string;
  declare role: Role;
  /** May inspect the queues. */
  declare operator: CreationOptional<boolean>;
  /** Set: can sign in no more. */
  declare disabledAt: CreationOptional<Date | null>;
}

export function defineUser(sequelize: Sequelize): void {
  User.init(
    {
      companyId: { type: DataTypes.UUID, primaryKey: true },
      id: { type: DataTypes.UUID, primaryKey: true },
      email: DataTypes.TEXT,
      passwordHash: DataTypes.TEXT,
      role: DataTypes.TEXT,
      operator: DataTypes.BOOLEAN,
      disabledAt: DataTypes.DATE,
    },
    { sequelize, tableName: 'users', underscored: true, timestamps: false },
  );
}

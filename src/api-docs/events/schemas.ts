// The JSON Schemas of events. Event is a union over `type`, so a typed client narrows `data`.
import { SCOPES } from '../../api-keys/model.js';
import { EVENT_TYPES, type EventTypeName } from '../../events/types.js';
import { REASONS } from '../../inventory/schema.js';
import {
  choice,
  constant,
  count,
  described,
  flag,
  integer,
  type JsonSchema,
  list,
  nullable,
  number,
  object,
  orNull,
  quantity,
  ref,
  reference,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { schemasOf } from '../schema-parts.js';

const StockAlert = object({
  itemId: uuid,
  sku: orNull(text),
  name: text,
  onHand: number,
  reorderPoint: quantity,
});

const StockLevels = object({
  items: list(object({ itemId: uuid, onHand: number }), 150),
});

const AdjustmentDetails = object({
  id: uuid,
  reason: choice(REASONS),
  reference: orNull(text),
  note: orNull(text),
  createdAt: time,
});

const DeletedCustomer = object({ id: uuid, number: text, name: text });

const ImportEnd = object({
  id: uuid,
  kind: choice(['stock', 'customers']),
  fileName: text,
  status: choice(['done', 'refused', 'failed']),
  rowsTotal: count,
  rowsDone: count,
  rowsFailed: count,
});

const KeyState = object({
  id: uuid,
  name: text,
  scopes: list(choice(SCOPES)),
  expiresAt: orNull(time),
  revokedAt: orNull(time),
});

const EventPage = object({
  events: described(list(ref('Event')), 'In order.'),
  after: described(integer, 'The last sequence that was looked at. The next page begins after it.'),
  hasMore: described(flag, 'Whether there were further events to look at.'),
});

const OWN = schemasOf({
  StockAlert,
  StockLevels,
  AdjustmentDetails,
  DeletedCustomer,
  ImportEnd,
  KeyState,
  EventPage,
});

/** The lists of an object that a partial event does not have. */
const LISTS = ['items', 'allocations', 'aliases'];

/** The schemas of events. `others` are those of the objects that events carry. */
export function eventSchemas(
  others: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const types = Object.keys(EVENT_TYPES) as EventTypeName[];
  const names = [...new Set(types.map(type => EVENT_TYPES[type].schema))];
  const partial = names.flatMap((name): [string, JsonSchema][] => {
    const schema = others[name] && withoutLists(others[name]);
    return schema ? [[`Event${name}`, schema]] : [];
  });
  const named = new Set(partial.map(([name]) => name));
  const dataOf = (name: string): JsonSchema => {
    if (named.has(`Event${name}`)) return reference(`Event${name}`);
    return name in OWN || name in others ? reference(name) : { type: 'object' };
  };
  const variants = types.map(type => variant(type, dataOf(EVENT_TYPES[type].schema)));
  return { ...OWN, ...Object.fromEntries(partial), Event: { oneOf: variants } };
}

/** The object with lists that may be null; undefined if it has none of them. */
function withoutLists(schema: JsonSchema): JsonSchema | undefined {
  const { properties } = schema as { properties?: Readonly<Record<string, JsonSchema>> };
  const own = LISTS.filter(name => properties?.[name]);
  if (own.length === 0) return undefined;
  const nulls = own.map(name => [name, nullable(properties?.[name] ?? {})]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(nulls) } };
}

function variant(type: EventTypeName, data: JsonSchema): JsonSchema {
  const { schema } = object({
    type: constant(type),
    timestamp: time,
    id: described(uuid, 'The same for each delivery of the event.'),
    sequence: described(integer, 'Counts 1, 2, 3 … per company, without gaps.'),
    companyId: uuid,
    actor: described(
      orNull(object({ kind: choice(['user', 'key']), id: uuid })),
      'The person or the key behind the change; null for an operator or the service itself.',
    ),
  });
  const { properties, required, ...rest } = schema as {
    properties: object;
    required: readonly string[];
  };
  const lists = { type: 'boolean', const: true, description: PARTIAL };
  return {
    ...rest,
    title: type,
    properties: { ...properties, data, partial: lists },
    required: [...required, 'data'],
  };
}

const PARTIAL =
  'The event is longer than 20,000 bytes, so the lists in `data` are null. `GET ' +
  '/events/{sequence}` has them.';

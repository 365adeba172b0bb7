// The fields of a body, an answer or a query as a list: name, type, limits and meaning.
import type { JsonSchema } from '../../platform/values/json-shape.js';
import { Markdown } from './markdown.js';

export interface Schema extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly format?: string;
}

/** Replaces a reference by what it names. */
export type Resolve = <Target extends object>(value: Target) => Target;

export interface SchemaFieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly resolve: Resolve;
  readonly required?: boolean;
  /** A query parameter has its description beside its schema. */
  readonly description?: string;
}

export function Fields({ schema, resolve }: { schema: Schema; resolve: Resolve }) {
  const { properties = {}, required = [] } = objectOf(schema, resolve);
  // An answer has all of its fields, so only requests say which ones are required.
  const names = Object.keys(properties);
  const isOptional = names.some(name => !required.includes(name));
  return (
    <ul class="fields">
      {Object.entries(properties).map(([name, field]) => (
        <SchemaField
          key={name}
          name={name}
          schema={resolve(field)}
          resolve={resolve}
          required={isOptional && required.includes(name)}
        />
      ))}
    </ul>
  );
}

export function SchemaField({
  name,
  schema,
  resolve,
  required = false,
  description,
}: SchemaFieldProps) {
  const text = [description ?? schema.description, valuesOf(schema)].filter(Boolean).join(' ');
  const facts = [typeOf(schema, resolve), ...limitsOf(schema)];
  return (
    <li>
      <code class="name">{name}</code> <span class="type">{facts.join(' · ')}</span>
      {required && <span class="required"> required</span>}
      {text !== '' && <Markdown text={text} />}
      {objectOf(schema, resolve).properties && <Fields schema={schema} resolve={resolve} />}
    </li>
  );
}

/** The object that a schema describes: the value itself, or each element of an array. */
function objectOf(schema: Schema, resolve: Resolve): Schema {
  const resolved = resolve(schema);
  return resolved.items ? resolve(resolved.items) : resolved;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'date, YYYY-MM-DD',
  'date-time': 'time, RFC 3339',
  uuid: 'UUID',
};

function typeOf(schema: Schema, resolve: Resolve): string {
  const { type, format, items, anyOf } = schema;
  if (anyOf) return anyOf.map(part => typeOf(resolve(part), resolve)).join(' or ');
  const types = [type ?? 'object'].flat();
  if (items) return `array of ${typeOf(resolve(items), resolve)}s`;
  return types.map(name => (name === 'string' && format ? FORMATS[format] : name)).join(' or ');
}

function valuesOf({ enum: values }: Schema): string {
  return values ? `One of ${values.map(value => `\`${value}\``).join(', ')}.` : '';
}

function limitsOf(schema: Schema): string[] {
  const of = (keyword: string) => schema[keyword] as number | undefined;
  const above = of('exclusiveMinimum');
  const initial = schema.default;
  return [
    range(of('minLength'), of('maxLength'), ' characters'),
    range(of('minItems'), of('maxItems'), ' entries'),
    above === undefined
      ? range(of('minimum'), of('maximum'), '')
      : `above ${above}, at most ${figure(of('maximum') ?? 0)}`,
    initial === undefined ? '' : `default ${initial}`,
  ].filter(text => text !== '');
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return `${figure(low)} to ${figure(high)}${unit}`;
  if (high !== undefined) return `at most ${figure(high)}${unit}`;
  // "At least 0" says nothing about a count.
  return low === undefined || low === 0 ? '' : `at least ${figure(low)}${unit}`;
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 4 }).replace('-', '−');
}

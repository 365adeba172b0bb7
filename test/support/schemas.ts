// JSON schemas of the OpenAPI document.
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** Knows the schemas among the document's components, and compiles each of them at most once. */
export function schemasOf(components: {
  readonly schemas: Readonly<Record<string, object>>;
}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  for (const [name, schema] of Object.entries(components.schemas))
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  return ajv;
}

// The reference: every operation of the OpenAPI document as a line that opens, with its fields on
// the left, a curl command and an answer on the right. What all operations share is described once.
import { renderToString } from 'preact-render-to-string';
import type { Resolve } from './fields.js';
import { Markdown } from './markdown.js';
import {
  type EntryProps,
  headerId,
  Input,
  type Operation,
  Outcomes,
  type Parameter,
  Samples,
} from './operation-parts.js';

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { description: string; example: unknown }>>;
  };
}

/** The section as HTML. `conventions` are the document's own words about all operations. */
export function referenceSection(document: ApiDocument, conventions: string): string {
  const resolve = resolverOf(document);
  return renderToString(
    <section class="reference" aria-labelledby="reference">
      <h2 id="reference">API reference</h2>
      <Markdown text={conventions} />
      {document.tags.map(({ name, description }) => (
        <section key={name} aria-labelledby={tagId(name)}>
          <h3 id={tagId(name)}>{name}</h3>
          <p class="note">{description}</p>
          {operationsOf(document, name).map(([method, path, operation]) => (
            <OperationEntry key={operation.operationId} {...{ method, path, operation, resolve }} />
          ))}
        </section>
      ))}
      <Headers document={document} />
    </section>,
  );
}

/** The anchor of a group of operations. */
function tagId(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function resolverOf(document: ApiDocument): Resolve {
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
  return value => ('$ref' in value ? (at(String(value.$ref)) as typeof value) : value);
}

function operationsOf({ paths }: ApiDocument, tag: string): [string, string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );
}

function OperationEntry(props: EntryProps) {
  const { method, path, operation } = props;
  return (
    <details class="operation">
      <summary>
        <span class={`method ${method}`}>{method.toUpperCase()}</span>
        <code class="path">{path}</code>
        <span class="title">{operation.summary}</span>
      </summary>
      {/* The id is inside: browsers open the details around the target of an address. */}
      <div class="opened" id={operation.operationId}>
        <div>
          <Markdown text={operation.description} />
          <Input {...props} />
          <Outcomes {...props} />
        </div>
        <div class="samples">
          <Samples {...props} />
        </div>
      </div>
    </details>
  );
}

function Headers({ document: { components } }: { document: ApiDocument }) {
  const sent = Object.values(components.parameters).filter(({ in: place }) => place === 'header');
  return (
    <section aria-labelledby="headers">
      <h3 id="headers">Headers</h3>
      <h4>Request headers</h4>
      <ul class="fields">
        {sent.map(({ name, description }) => (
          <li key={name} id={headerId(name)}>
            <code class="name">{name}</code>
            <Markdown text={description} />
          </li>
        ))}
      </ul>
      <h4>Response headers</h4>
      <ul class="fields">
        {Object.entries(components.headers).map(([name, { description, example }]) => (
          <li key={name}>
            {/* Two answers have a Location of different meaning. */}
            <code class="name">{name.replace('Job-', '')}</code>{' '}
            <span class="type">{String(example)}</span>
            <Markdown text={description} />
          </li>
        ))}
      </ul>
    </section>
  );
}

// The content of an opened operation: its input, its answers, and samples of both.
import { type Examples, examplesOf } from '../examples.js';
import { curlCommand } from './curl.js';
import { Fields, type Resolve, type Schema, SchemaField } from './fields.js';
import { inline } from './markdown.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly description: string;
  readonly schema: Schema;
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Examples;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface EntryProps {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly resolve: Resolve;
}

export function Input({ operation, resolve }: EntryProps) {
  const parameters = (operation.parameters ?? []).map(resolve);
  const inAddress = parameters.filter(parameter => parameter.in !== 'header');
  const headers = parameters.filter(parameter => parameter.in === 'header');
  const [body] = Object.values(operation.requestBody?.content ?? {});
  return (
    <>
      {inAddress.length > 0 && (
        <>
          <h4>Parameters</h4>
          <ul class="fields">
            {inAddress.map(parameter => (
              <SchemaField key={parameter.name} {...parameter} resolve={resolve} />
            ))}
          </ul>
        </>
      )}
      {body && (
        <>
          <h4>Body</h4>
          <Fields schema={body.schema} resolve={resolve} />
        </>
      )}
      {headers.length > 0 && (
        <p class="note">
          Headers:{' '}
          {headers.map(({ name }, index) => (
            <>
              {index > 0 && ', '}
              <a href={`#${headerId(name)}`}>
                <code>{name}</code>
              </a>
            </>
          ))}
        </p>
      )}
    </>
  );
}

/** The successes with their fields, and the codes of the errors, which have a page of their own. */
export function Outcomes({ operation, resolve }: EntryProps) {
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, resolve(answer)] as const,
  );
  const successes = answers.filter(([status]) => status < '400');
  const problems = answers.filter(([status]) => status >= '400');
  return (
    <>
      <h4>Responses</h4>
      <ul class="answers">
        {successes.map(([status, { description }]) => (
          <li key={status}>
            <strong>{status}</strong> {inline(description)}
          </li>
        ))}
        {problems.map(([status, answer]) => (
          <li key={status}>
            <strong>{status}</strong>{' '}
            {codesOf(answer).map(code => (
              <>
                <a href={`/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>{' '}
              </>
            ))}
          </li>
        ))}
      </ul>
      <AnswerFields content={successes[0]?.[1].content} resolve={resolve} />
    </>
  );
}

function codesOf({ content = {} }: Answer): readonly string[] {
  const [{ schema } = { schema: {} }] = Object.values(content);
  const [, own] = (schema as { allOf?: Schema[] }).allOf ?? [];
  return (own?.properties?.code?.enum ?? []) as string[];
}

function AnswerFields({ content, resolve }: { content: Answer['content']; resolve: Resolve }) {
  const schema = content?.['application/json']?.schema;
  const resolved = schema && resolve(schema);
  if (!resolved || !(resolved.properties ?? resolved.items)) return null;
  return (
    <details class="more">
      <summary>Fields of the response</summary>
      <Fields schema={resolved} resolve={resolve} />
    </details>
  );
}

export function Samples({ method, path: template, operation }: EntryProps) {
  const path = template.includes('{id}') ? examplesOf(operation.operationId).path : template;
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const isPublic = operation.security.length === 0;
  const requests: [title: string, command: string][] = body?.examples
    ? Object.values(body.examples).map(({ summary, value }) => [
        summary,
        curlCommand({ method, path, isPublic, body: value }),
      ])
    : [['Request', curlCommand({ method, path, isPublic })]];
  const answers = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.values(content['application/json']?.examples ?? {}).map(
      ({ summary, value }): [string, string] => [
        `${status}: ${summary}`,
        JSON.stringify(value, null, 2),
      ],
    ),
  );
  return (
    <>
      {[requests, answers].map(samples =>
        samples.map(([title, text], index) => (
          <details key={title} class="more" open={index === 0}>
            <summary>{title}</summary>
            <pre>
              <code>{text}</code>
            </pre>
          </details>
        )),
      )}
    </>
  );
}

/** The anchor of a header in the list of headers. */
export function headerId(name: string): string {
  return `header-${name.toLowerCase()}`;
}

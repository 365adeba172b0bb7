// A document on paper, A4 or Letter: no navigation, and the table head repeats on every sheet.
import type { ComponentChildren } from 'preact';
import { ButtonLink, Money } from './components.js';

interface PaperProps {
  readonly company: string;
  /** The document and its number. */
  readonly title: string;
  /** The page of the document, and what it is. */
  readonly back: { readonly href: string; readonly to: string };
  /** A word across the head, such as VOID. */
  readonly stamp?: string | false;
  readonly children: ComponentChildren;
}

export function Paper({ company, title, back, stamp, children }: PaperProps) {
  return (
    <>
      <div class="not-printed">
        <button class="button" type="button" data-print hidden>
          Print
        </button>
        <ButtonLink href={back.href} quiet>
          Back to {back.to}
        </ButtonLink>
      </div>
      <article class="paper">
        <header>
          <p class="paper-company">{company}</p>
          <h1>{title}</h1>
          {stamp && <p class="paper-stamp">{stamp}</p>}
        </header>
        {children}
      </article>
    </>
  );
}

interface TableProps {
  /** Names the columns. All after the first one hold figures. */
  readonly columns: readonly string[];
  readonly className?: string;
  readonly children: ComponentChildren;
}

/** On narrow screens CSS turns the table into blocks, which removes roles that are not explicit. */
export function PaperTable({ columns, className, children }: TableProps) {
  return (
    <table role="table" class={className}>
      <caption class="unseen">Lines</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, index) => (
            <th key={column} role="columnheader" scope="col" class={index > 0 ? 'end' : undefined}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

interface SumProps {
  readonly label: string;
  readonly value: string;
  /** The number of columns before the amounts. */
  readonly span: number;
  readonly isTotal?: boolean;
}

export function PaperSum({ label, value, span, isTotal = false }: SumProps) {
  return (
    <tr class={isTotal ? 'paper-total' : 'paper-sum'} role="row">
      <th role="rowheader" scope="row" colSpan={span}>
        {label}
      </th>
      <td role="cell" class="end">
        <Money value={value} />
      </td>
    </tr>
  );
}

interface LineProps {
  readonly name: string;
  readonly sku: string | null;
  readonly terms?: string;
  /** One for each column after the first one. */
  readonly figures: readonly ComponentChildren[];
}

export function PaperLine({ name, sku, terms, figures }: LineProps) {
  return (
    <tr role="row">
      <td role="cell">
        {name}
        {sku !== null && <span class="note"> {sku}</span>}
        {terms && <span class="paper-line-terms">{terms}</span>}
      </td>
      {figures.map((figure, index) => (
        <td key={index} role="cell" class="end">
          {figure}
        </td>
      ))}
    </tr>
  );
}

// The rows that the writes of dashboard users left.
import type { System } from '../system.js';
import type { Quantities } from './records.js';

export interface CorrectionRow {
  readonly companyId: string;
  readonly deliveryId: string;
  /** The note. */
  readonly mark: string;
  /** True if the undo of an import wrote it. */
  readonly isUndo: boolean;
  readonly changes: Quantities;
}

export interface DraftRows {
  /** By draft. */
  readonly versions: ReadonlyMap<string, number>;
  /** The number of invoices by reference. */
  readonly invoiceCounts: ReadonlyMap<string, number>;
}

export interface ImportRow {
  readonly id: string;
  readonly status: string;
  readonly undo: string | null;
  /** True if another write has moved one of its items since; if it is undone, before that. */
  readonly wasTouched: boolean;
  /** In the order of their movements. */
  readonly lines: readonly ImportLine[];
}

export interface ImportLine {
  readonly movementId: number;
  readonly itemId: string;
  readonly name: string;
  readonly delta: number;
  readonly unitCost: number | null;
  readonly archived: boolean;
}

export interface DashboardRows {
  readonly corrections: readonly CorrectionRow[];
  readonly drafts: DraftRows;
  /** By id. */
  readonly imports: ReadonlyMap<string, ImportRow>;
}

/** Reads the rows of these companies. */
export async function readDashboardRows(
  system: System,
  companyIds: readonly string[],
): Promise<DashboardRows> {
  const read = <Row extends object>(sql: string) => system.query<Row>(sql, [companyIds]);
  const [corrections, drafts, invoices, imports] = await Promise.all([
    read<Omit<CorrectionRow, 'changes'> & { movements: { itemId: string; delta: number }[] }>(
      `SELECT company_id AS "companyId", corrects AS "deliveryId", COALESCE(note, '') AS mark,
         import_id IS NOT NULL AS "isUndo", movements
       FROM adjustments
       WHERE company_id = ANY($1::uuid[]) AND corrects IS NOT NULL
       ORDER BY stock_version`,
    ),
    read<{ id: string; version: number }>(
      'SELECT id, version FROM invoice_drafts WHERE company_id = ANY($1::uuid[])',
    ),
    read<{ reference: string; count: number }>(
      `SELECT reference, count(*)::int AS count
       FROM invoices
       WHERE company_id = ANY($1::uuid[]) AND reference IS NOT NULL
       GROUP BY reference`,
    ),
    read<ImportRow>(
      `SELECT i.id, i.status, i.undo,
         EXISTS (
           SELECT
           FROM (
             SELECT min(m.id) AS first, max(m.id) AS last
             FROM movements m
             JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
             WHERE m.company_id = i.company_id AND a.import_id = i.id
           ) own
           JOIN import_changes c ON c.company_id = i.company_id AND c.import_id = i.id
           JOIN movements m ON m.company_id = c.company_id AND m.item_id = c.item_id
             AND m.id > own.first AND (i.undo = 'refused' OR m.id < own.last)
           LEFT JOIN adjustments a ON a.company_id = m.company_id AND a.id = m.adjustment_id
           WHERE a.import_id IS DISTINCT FROM i.id
         ) AS "wasTouched",
         (
           SELECT COALESCE(json_agg(json_build_object(
             'movementId', m.id, 'itemId', m.item_id, 'name', t.name, 'delta', m.delta,
             'unitCost', t.unit_cost, 'archived', t.archived) ORDER BY m.id), '[]')
           FROM adjustments a
           JOIN movements m ON m.company_id = a.company_id AND m.adjustment_id = a.id
           JOIN items t ON t.company_id = m.company_id AND t.id = m.item_id
           WHERE a.company_id = i.company_id AND a.import_id = i.id
         ) AS lines
       FROM imports i
       WHERE i.company_id = ANY($1::uuid[])`,
    ),
  ]);
  return {
    corrections: corrections.map(({ movements, ...row }) => {
      const changes = new Map(movements.map(({ itemId, delta }) => [itemId, delta]));
      return { ...row, changes };
    }),
    drafts: {
      versions: new Map(drafts.map(({ id, version }) => [id, version])),
      invoiceCounts: new Map(invoices.map(({ reference, count }) => [reference, count])),
    },
    imports: new Map(imports.map(row => [row.id, row])),
  };
}

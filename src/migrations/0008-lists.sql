-- Indexes of lists. An invoice without a due date that is open has no entry in either.

-- step: concurrently
-- Invoices that are paid or void in the list's order, however many others there are.
CREATE INDEX CONCURRENTLY IF NOT EXISTS invoices_closed
  ON invoices (company_id, status, date DESC, number DESC)
  WHERE status <> 'open';
-- Invoices by due date: the few that are due in a range, or overdue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS invoices_due
  ON invoices (company_id, status, due_date)
  WHERE due_date IS NOT NULL;

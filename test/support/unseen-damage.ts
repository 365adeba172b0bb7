// The damages that verify need not see, by the reason. A table's name alone stands for a lost row,
// a column for a changed value, and a member of a JSON column for a changed member. The brackets
// name the kind of row where verify checks the others.

export const MAY_GO_UNSEEN: Readonly<Record<string, readonly string[]>> = {
  'the oldest events, which expire': ['feed', 'feed.created_at'],
  'when the feed began, and how far its sweep has looked': [
    ...['overdue_progress', 'overdue_progress.day', 'overdue_progress.first_day'],
    ...['overdue_progress.first_invoice_number', 'overdue_progress.first_entry_sequence'],
  ],
  'the order of the jobs of a request, which only matters while they are queued': [
    ...['jobs.sequence_id', 'jobs.place'],
  ],
  'settings, which people choose and nothing repeats': [
    ...['companies.name', 'companies.time_zone', 'companies.allow_negative_stock'],
    ...['companies.rate_limit_per_hour', 'companies.invoice_prefix', 'companies.terms_days'],
    ...['companies.default_tax_rate', 'companies.credit_note_prefix', 'companies.csv_format'],
    'companies.first_steps_hidden',
  ],
  'texts and numbers that are typed and stored once': [
    ...['adjustments.reference (correction)', 'adjustments.note (correction)'],
    ...[
      'adjustments.reference (correction of an import)',
      'adjustments.note (correction of an import)',
    ],
    ...['adjustments.supplier (correction)', 'adjustments.supplier (correction of an import)'],
    'adjustments.arrived_on',
    ...['adjustments.reference (count of an import)', 'adjustments.note (count of an import)'],
    'entries.explanation (creditNote)',
    'entries.explanation (reversal)',
    ...['items.reorder_point', 'items.unit', 'items.unit_price', 'items.unit_cost (archived)'],
    ...['invoices.body.deliveryDate', 'invoices.body.note', 'invoices.body.discount.reason'],
    ...['invoices.body.taxes.reason (open)', 'invoices.body.taxes.reason (paid)'],
    ...['users.email', 'users.name', 'users.role', 'users.operator', 'users.disabled_at'],
    ...['api_keys.name', 'api_keys.scopes', 'api_keys.expires_at', 'api_keys.revoked_at'],
    ...['invitations.name', 'invitations.email', 'invitations.role'],
  ],
  "a record's only copy of what no column repeats": [
    ...['phone', 'electronicAddress', 'language', 'note'].map(
      member => `customer_versions.body.${member}`,
    ),
    ...['address', 'deliveryAddress'].map(member => `customer_versions.body.${member}.country`),
    ...['number', 'externalId', 'email', 'taxId', 'termsDays', 'tax', 'creditLimit'].map(
      member => `customer_versions.body.${member} (earlier)`,
    ),
    ...['legalName', 'contactName', 'address', 'deliveryAddress', 'registrationId'].map(
      member => `customer_versions.body.${member} (earlier)`,
    ),
    ...['buyerReference', 'emailCc'].map(member => `customer_versions.body.${member} (earlier)`),
    ...['hold', 'archived'].map(member => `customer_versions.body.${member} (earlier)`),
  ],
  'what documents show of a company, of which a version is the only copy': [
    ...['legalName', 'address', 'taxId', 'taxNumber', 'registrationId', 'contactName'].map(
      member => `company_profile_versions.body.${member}`,
    ),
    ...['electronicAddress', 'email', 'phone', 'bankName', 'iban', 'bic', 'paymentTerms'].map(
      member => `company_profile_versions.body.${member}`,
    ),
    ...['name', 'footer', 'untaxed', 'language', 'paper', 'paymentQr', 'emailCopy'].map(
      member => `company_profile_versions.body.${member}`,
    ),
    ...['type', 'width', 'height'].map(member => `company_profile_versions.body.logo.${member}`),
    'company_profile_versions.changed_by',
  ],
  'what was sent by e-mail, of which the row is the only copy': [
    ...['message', 'sender', 'attempts', 'error', 'of_create'].map(name => `emails.${name}`),
    ...['recipients', 'subject'].flatMap(inEmailsWithoutKey),
    'email_attachments.file_name',
  ],
  'the author, whose name at that time is stored once': [
    ...['adjustments.created_by', 'entries.created_by', 'customer_versions.changed_by'],
    ...['invoices.created_by', 'emails.created_by'],
    ...['jobs.created_by (failed)', 'jobs.created_by (failed with payload)'],
    'jobs.created_by (queued with payload)',
    ...['companies.settings_changed_by', 'invoice_drafts.created_by', 'invoice_drafts.saved_by'],
    ...['imports.undo_by', 'customer_imports.undo_by'],
  ],
  'times that are stored once': [
    ...['admitted_at', 'sent_at', 'timed_at'].map(name => `emails.${name}`),
    ...inEmailsWithoutKey('created_at'),
    ...['adjustments.created_at', 'movements.created_at', 'items.created_at', 'items.updated_at'],
    ...['entries.created_at (allocation)', 'entries.created_at (reversal)'],
    ...['companies.created_at', 'companies.settings_changed_at', 'users.created_at'],
    ...['users.last_seen_at', 'sessions.created_at', 'sessions.last_seen_at'],
    ...['sessions.expires_at', 'invitations.created_at', 'invitations.expires_at'],
    ...['password_resets.created_at', 'password_resets.expires_at', 'api_keys.created_at'],
    ...['api_keys.last_used_at', 'api_keys.scopes_changed_at', 'api_key_secrets.created_at'],
    ...['api_key_secrets.valid_until', 'imports.created_at', 'imports.finished_at'],
    ...['imports.undo_until', 'customer_imports.created_at', 'customer_imports.finished_at'],
    'customer_imports.undo_until',
    ...['jobs.created_at', 'jobs.queued_at', 'jobs.finished_at', 'stored_responses.finished_at'],
    'invoice_drafts.saved_at',
    // A record's currency is its company's, and the demo's records are dated later.
    ...['currency', 'createdAt', 'updatedAt'].map(member => `stored_responses.body.${member}`),
  ],
  'random ids, and hashes of what is not stored': [
    ...['api_keys.once', 'api_key_secrets.id', 'api_key_secrets.hash', 'users.password_hash'],
    ...['sessions.id', 'invitations.id', 'invitations.once', 'invitations.token_hash'],
    ...['password_resets.token_hash', 'invoice_drafts.id', 'stored_responses.id'],
    'stored_responses.fingerprint',
    // The id comes from the Idempotency-Key.
    ...['jobs.id', 'jobs.fingerprint', 'jobs.request_id'],
    ...['jobs.submission_id (failed)', 'jobs.submission_id (failed with payload)'],
    'jobs.submission_id (queued with payload)',
    ...['adjustments.submission_id (correction of an import)'],
    'adjustments.submission_id (count of an import)',
    'adjustments.import_id',
  ],
  'writes that wait or were refused, which have no result yet': [
    ...['jobs.payload', 'jobs.refused_payload', 'jobs.error', 'jobs.attempts', 'jobs.weight'],
    'jobs.run_at',
    ...['jobs.type (failed)', 'jobs.type (failed with payload)', 'jobs.type (queued with payload)'],
    ...['jobs (failed)', 'jobs (failed with payload)', 'jobs (queued with payload)'],
  ],
  'drafts, which are typed text without effect': [
    ...['invoice_drafts', 'invoice_drafts.fields', 'invoice_drafts.customer_name'],
    ...['invoice_drafts.date', 'invoice_drafts.total', 'invoice_drafts.currency'],
    ...['invoice_drafts.version', 'invoice_drafts.number', 'companies.next_draft_number'],
  ],
  'count sheets, which have no effect until they are booked': [
    ...['count_sheets.name', 'count_sheets.version', 'count_sheets.created_by'],
    ...['count_sheets.saved_at', 'count_lines', 'count_lines.item_id', 'count_lines.counted'],
    ...['count_lines.on_hand', 'count_lines.once', 'count_lines.created_by'],
    'count_lines.counted_at',
  ],
  'imports: the uploaded file and the state of the work, which nothing repeats': [
    ...['imports.file_name', 'imports.reference', 'imports.reason', 'imports.all_or_nothing'],
    ...['imports.ignores_expected', 'imports.decimal_mark', 'imports.decimal_doubt'],
    ...['imports.file', 'imports.header', 'imports.attempts', 'imports.postponed'],
    ...['imports.columns', 'imports.undo', 'imports.undo_refusal', 'imports.reading'],
    'imports.judgement',
    ...['imports.rows_recorded', 'imports.status', 'imports.position (done)'],
    'imports.position (done undo done)',
    ...['import_rows.line', 'import_rows.cells', 'import_rows.errors', 'import_rows.position'],
    ...['import_rows.entry.count', 'import_rows.name_key (refused)'],
    'import_rows.sku_key (refused)',
    ...['customer_imports.file_name', 'customer_imports.header', 'customer_imports.attempts'],
    ...['customer_imports.decimal_doubt', 'customer_imports.rows_new', 'customer_imports.status'],
    ...['customer_imports.postponed', 'customer_imports.file', 'customer_imports.decimal_mark'],
    'customer_imports.position (done)',
    ...['customer_imports.columns', 'customer_imports.undo', 'customer_imports.undo_refusal'],
    ...['customer_imports.reading', 'customer_imports.judgement'],
    'customer_imports.rows_recorded',
    ...['customer_import_rows.line', 'customer_import_rows.cells', 'customer_import_rows.errors'],
    ...['customer_import_rows.position', 'customer_import_rows.external_id (refused)'],
    ...['customer_import_rows.number_key (refused)', 'customer_import_rows.name_key (refused)'],
  ],
  'the versions of customers around an import, for the day in which it can be undone': [
    ...['customer_import_changes', 'customer_import_changes.customer_id'],
    ...['customer_import_changes.version_before', 'customer_import_changes.version_after'],
    'customer_import_changes.position',
  ],
  'the items as they were before an import, for the day in which it can be undone': [
    ...['import_changes', 'import_changes.item_id', 'import_changes.created'],
    ...['import_changes.reorder_point', 'import_changes.unit_cost', 'import_changes.unit_price'],
    ...['import_changes.unit', 'import_changes.changed_at'],
  ],
  'counters that only tell caches apart, or skip what is taken': [
    ...['companies.names_version', 'companies.customers_version'],
    'companies.next_customer_number',
  ],
  'keys that an upgrade found to coincide and left as they were': [
    ...['kept_keys', 'kept_keys.kind', 'kept_keys.id', 'kept_keys.key', 'kept_keys.folded'],
  ],
  'times by which lists find what has changed': ['items.edited_at'],
  'progress of processes of the release before': [
    ...['summaries.searchable_number', 'summaries.searchable_sequence'],
  ],
  'names as they were when they were stored': [
    ...['adjustments.movements.name (correction)', 'item_totals.name'],
    ...['adjustments.movements.name (correction of an import)'],
    'adjustments.movements.name (count of an import)',
  ],
  'webhooks: settings of people, and the state of deliveries, which nothing repeats': [
    ...['url', 'types', 'description', 'ordered', 'status', 'position', 'missed', 'failures'].map(
      name => `webhook_endpoints.${name}`,
    ),
    ...['failed_sequences', 'probe_at', 'probes', 'is_quick', 'last_success_at'].map(
      name => `webhook_endpoints.${name}`,
    ),
    ...['last_failure_at', 'created_at', 'updated_at', 'due_at', 'timed_at', 'lease_token'].map(
      name => `webhook_endpoints.${name}`,
    ),
    ...['webhook_endpoints.leased_until', 'webhook_secrets.id', 'webhook_secrets.created_at'],
    ...['event_id', 'type', 'event_at', 'scheduled_attempts', 'redeliver_at', 'timed_at'].map(
      name => `webhook_deliveries.${name}`,
    ),
    ...['duration_ms', 'trigger', 'status', 'request_headers', 'response'].map(
      name => `webhook_attempts.${name}`,
    ),
    ...['webhook_tests', 'webhook_tests.started_at', 'webhook_tests.count'],
  ],
  'rows that end by themselves, or that the product makes again': [
    ...['sessions', 'invitations', 'password_resets', 'stored_responses', 'api_key_secrets'],
    ...['audits', 'audited_jobs', 'audited_jobs.until'],
    ...['rate_limits', 'rate_limits.*', 'process_metrics', 'process_metrics.*'],
  ],
  "operators' own records": [
    ...['audit_violations', 'audit_violations.*', 'migrations', 'migrations.*'],
  ],
};

/** A column of the e-mails without a stored response, which would repeat it. */
function inEmailsWithoutKey(column: string): string[] {
  return ['sent', 'sent of a create'].map(variant => `emails.${column} (${variant})`);
}

// SQL whose rows violate an invariant of customers' records, names, versions or exposures.
import { EXPOSURE } from '../../customer-records/exposures.js';
import { IS_LIMITED } from '../../customers/credit/exposures.js';

/** The names' last versions name the record that they belong to. */
export const CUSTOMER_NAME_VERSIONS = `
  SELECT COALESCE(n.company_id, last.company_id) AS "companyId",
    COALESCE(n.name_key, last.name_key) AS name,
    n.customer_id AS "customerId", last.customer_id AS "lastVersion"
  FROM customer_names n
  FULL JOIN (
    SELECT DISTINCT ON (company_id, name_key) company_id, name_key, customer_id
    FROM customer_name_versions
    ORDER BY company_id, name_key, valid_from DESC
  ) last ON last.company_id = n.company_id AND last.name_key = n.name_key
  WHERE n.customer_id IS DISTINCT FROM last.customer_id`;

/** Versions run from 1 without a gap, and later ones are later. */
export const CUSTOMER_VERSIONS = `
  SELECT company_id AS "companyId", customer_id AS "customerId", version,
    valid_from AS "validFrom"
  FROM (
    SELECT company_id, customer_id, version, valid_from,
      row_number() OVER record AS position, lag(valid_from) OVER record AS before
    FROM customer_versions
    WINDOW record AS (PARTITION BY company_id, customer_id ORDER BY version)
  ) v
  WHERE version <> position OR valid_from < before + interval '1 millisecond'`;

/** A deleted record's last version has no body. */
export const LAST_CUSTOMER_VERSIONS = `
  SELECT COALESCE(c.company_id, last.company_id) AS "companyId",
    COALESCE(c.id, last.customer_id) AS "customerId", c.version, last.version AS "lastVersion"
  FROM customers c
  FULL JOIN (
    SELECT DISTINCT ON (company_id, customer_id) *
    FROM customer_versions
    ORDER BY company_id, customer_id, version DESC
  ) last ON last.company_id = c.company_id AND last.customer_id = c.id
  WHERE (c.version, c.updated_at) IS DISTINCT FROM (last.version, last.valid_from)
    AND (c.id IS NOT NULL OR last.body IS NOT NULL)`;

/** The figures in the company's row, which are maintained by difference. */
export const CUSTOMER_FIGURES = `
  SELECT c.id AS "companyId",
    c.customer_count AS customers, COALESCE(counted.customers, 0) AS "countedCustomers",
    c.customers_with_terms AS terms, COALESCE(counted.terms, 0) AS "countedTerms",
    c.customers_on_hold AS holds, COALESCE(counted.holds, 0) AS "countedHolds",
    c.customers_with_limit AS limits, COALESCE(counted.limits, 0) AS "countedLimits"
  FROM companies c
  LEFT JOIN (
    SELECT company_id, count(*) AS customers,
      count(*) FILTER (WHERE terms_days IS NOT NULL OR tax IS NOT NULL) AS terms,
      count(*) FILTER (WHERE hold) AS holds,
      count(credit_limit) AS limits
    FROM customers
    WHERE NOT archived
    GROUP BY company_id
  ) counted ON counted.company_id = c.id
  WHERE (
      c.customer_count, c.customers_with_terms, c.customers_on_hold, c.customers_with_limit
    ) <> (
      COALESCE(counted.customers, 0), COALESCE(counted.terms, 0),
      COALESCE(counted.holds, 0), COALESCE(counted.limits, 0)
    )`;

/** A record has an exposure only with a limit that refuses invoices. */
export const CUSTOMER_EXPOSURES = `
  SELECT c.company_id AS "companyId", c.id AS "customerId", e.exposure,
    recount.exposure AS recounted
  FROM customers c
  JOIN companies o ON o.id = c.company_id
  LEFT JOIN customer_exposures e ON e.company_id = c.company_id AND e.customer_id = c.id,
  LATERAL (SELECT CASE WHEN ${IS_LIMITED} THEN ${EXPOSURE} END AS exposure) recount
  WHERE e.exposure IS DISTINCT FROM recount.exposure`;

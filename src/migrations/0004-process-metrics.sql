-- The figures of processes without an HTTP port, for /metrics of the web processes. UNLOGGED: they are replaced every few
-- seconds and worth nothing after a crash.
CREATE UNLOGGED TABLE process_metrics (
  -- Type, host and process id.
  name text PRIMARY KEY,
  -- prom-client's JSON.
  figures json NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 50);

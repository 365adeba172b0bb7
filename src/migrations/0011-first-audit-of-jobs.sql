-- A new database was audited until the time of its migration. The audit stays a few seconds behind
-- the clock, so it would take the first start for a clock that was set back.
UPDATE audited_jobs SET until = until - interval '1 minute';

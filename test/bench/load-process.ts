// The process that makes the load of one run: autocannon with prepared requests. Forked by load.ts.
import autocannon from 'autocannon';
import type { LoadMessage, LoadPlan, LoadResult } from './load.js';
import {
  type BenchRequest,
  KOA_CEILINGS,
  requestsOf,
  WORKLOADS,
  type Workload,
} from './workloads.js';

/** autocannon looks this often whether it is to stop. */
const SAMPLE_MS = 100;
/** A timed run is stopped by us; only this bounds it. */
const LONGEST_S = 3_600;

// Whoever measures may be stopped in the middle.
process.once('disconnect', () => process.exit());
process.once('message', message => {
  void run(message as LoadPlan);
});

const tell = (message: LoadMessage) => void process.send?.(message);

async function run(plan: LoadPlan): Promise<void> {
  const workload = [...WORKLOADS, ...KOA_CEILINGS].find(({ name }) => name === plan.workload);
  if (!workload) throw new Error(`there is no workload ${plan.workload}`);
  const etags = workload.revalidates ? await readEtags(workload, plan) : new Map<string, string>();
  const seen = watch(workload);
  let client = 0;
  const options = (port: number): autocannon.Options => ({
    url: `http://127.0.0.1:${port}`,
    connections: Math.ceil(workload.clients / plan.ports.length),
    sampleInt: SAMPLE_MS,
    timeout: 60,
    ...(workload.isKeyed ? { idReplacement: true } : {}),
    ...(workload.amount === undefined
      ? { duration: LONGEST_S }
      : { amount: Math.ceil(workload.amount / plan.ports.length) }),
    setupClient: connection => {
      const requests = requestsOf(workload, plan.world, client).map(request =>
        decorate(request, workload, etags),
      );
      connection.setRequests(requests as never);
      client += 1;
    },
  });
  let running = plan.ports.length;
  const loads = plan.ports.map(port => {
    const load = autocannon(options(port), () => {
      running -= 1;
      if (workload.amount !== undefined && running === 0)
        tell({ what: 'ends', result: seen.end() });
    });
    load.on('response', (_client, status, bytes, ms) => seen.answer(status, bytes, ms));
    load.on('reqError', () => seen.failure());
    return load;
  });
  if (workload.amount !== undefined) {
    seen.begin();
    return;
  }
  setTimeout(() => {
    seen.begin();
    setTimeout(() => {
      tell({ what: 'ends', result: seen.end() });
      for (const load of loads) (load as unknown as { stop(): void }).stop();
    }, plan.measureMs);
  }, plan.warmUpMs);
}

function decorate(
  request: BenchRequest,
  { isKeyed }: Workload,
  etags: ReadonlyMap<string, string>,
): BenchRequest {
  const etag = etags.get(request.headers['x-api-key'] + request.path);
  const headers = {
    ...request.headers,
    ...(isKeyed ? { 'idempotency-key': 'bench-[<id>]' } : {}),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  };
  return { ...request, headers };
}

async function readEtags(
  workload: Workload,
  { world, ports }: LoadPlan,
): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  for (const { path, headers } of requestsOf(workload, world, 0)) {
    const response = await fetch(`http://127.0.0.1:${ports[0]}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    await response.text();
    etags.set(headers['x-api-key'] + path, response.headers.get('etag') ?? '');
  }
  return etags;
}

/** Counts answers from `begin` to `end`; faults count from the start. */
function watch({ expected }: Workload) {
  let times: number[] = [];
  let bytesSeen = 0;
  let unexpected = 0;
  let failed = 0;
  let begunAt = 0;
  return {
    answer(status: number, bytes: number, ms: number) {
      if (!expected.includes(status)) unexpected += 1;
      bytesSeen += bytes;
      times.push(ms);
    },
    failure() {
      failed += 1;
    },
    begin() {
      times = [];
      bytesSeen = 0;
      begunAt = performance.now();
      tell({ what: 'begins' });
    },
    end(): LoadResult {
      const ms = performance.now() - begunAt;
      const sorted = Float64Array.from(times).sort();
      const quantile = (share: number) =>
        sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      const result = {
        requests: times.length,
        ms,
        p50Ms: quantile(0.5),
        p99Ms: quantile(0.99),
        bytes: bytesSeen,
      };
      return { ...result, unexpected, failed };
    },
  };
}

// The process that generates the load of one run: autocannon with prepared requests.
import autocannon from 'autocannon';
import type { LoadMessage, LoadPlan, LoadResult } from './load.js';
import { readOpenInvoices } from './open-invoices.js';
import {
  type BenchRequest,
  KOA_CEILINGS,
  requestsOf,
  WORKLOADS,
  type Workload,
} from './workloads.js';

/** How often autocannon checks whether to stop. */
const SAMPLE_MS = 100;
/** This process stops a timed run itself; autocannon requires a limit. */
const MAX_DURATION_S = 3_600;

// The measuring process may be stopped in the middle.
process.once('disconnect', () => process.exit());
process.once('message', message => {
  void run(message as LoadPlan);
});

const report = (message: LoadMessage) => void process.send?.(message);

async function run(plan: LoadPlan): Promise<void> {
  const workload = [...WORKLOADS, ...KOA_CEILINGS].find(({ name }) => name === plan.workload);
  if (!workload) throw new Error(`there is no workload ${plan.workload}`);
  const etags = workload.revalidates ? await readEtags(workload, plan) : new Map<string, string>();
  const open = workload.needsOpenInvoices ? await readOpenInvoices(plan) : [];
  if (workload.needsOpenInvoices && open.length < workload.clients)
    throw new Error('there are too few open invoices; fill more');
  const recorder = createRecorder(workload);
  let client = 0;
  // One client uses one of several ports.
  const ports = plan.ports.slice(0, workload.clients);
  const options = (port: number): autocannon.Options => ({
    url: `http://127.0.0.1:${port}`,
    connections: Math.ceil(workload.clients / ports.length),
    sampleInt: SAMPLE_MS,
    timeout: 60,
    ...(workload.isKeyed ? { idReplacement: true } : {}),
    ...(workload.amount === undefined
      ? { duration: MAX_DURATION_S }
      : { amount: Math.ceil(workload.amount / ports.length) }),
    setupClient: connection => {
      const own = open.filter((_, index) => index % workload.clients === client);
      const requests = requestsOf(workload, plan.world, client, own).map(request =>
        decorate(request, workload, etags),
      );
      connection.setRequests(requests as never);
      client += 1;
    },
  });
  let running = ports.length;
  const loads = ports.map(port => {
    const load = autocannon(options(port), () => {
      running -= 1;
      if (workload.amount !== undefined && running === 0)
        report({ what: 'ends', result: recorder.end() });
    });
    load.on('response', (_client, status, bytes, ms) => recorder.answer(status, bytes, ms));
    load.on('reqError', () => recorder.failure());
    return load;
  });
  if (workload.amount !== undefined) {
    recorder.begin();
    return;
  }
  setTimeout(() => {
    recorder.begin();
    // A figure needs a response: a short run on a busy host takes longer.
    const endOnceAnswered = () => {
      if (!recorder.hasAnswer()) return void setTimeout(endOnceAnswered, SAMPLE_MS);
      report({ what: 'ends', result: recorder.end() });
      for (const load of loads) (load as unknown as { stop(): void }).stop();
    };
    setTimeout(endOnceAnswered, plan.measureMs);
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

/** Counts responses from `begin` to `end`, and errors from the start. */
function createRecorder({ expected }: Workload) {
  let times: number[] = [];
  let receivedBytes = 0;
  let unexpected = 0;
  let failed = 0;
  let startedAt = 0;
  return {
    answer(status: number, bytes: number, ms: number) {
      if (!expected.includes(status)) unexpected += 1;
      receivedBytes += bytes;
      times.push(ms);
    },
    failure() {
      failed += 1;
    },
    hasAnswer: () => times.length > 0,
    begin() {
      times = [];
      receivedBytes = 0;
      startedAt = performance.now();
      report({ what: 'begins' });
    },
    end(): LoadResult {
      const ms = performance.now() - startedAt;
      const sorted = Float64Array.from(times).sort();
      const quantile = (share: number) =>
        sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      const result = {
        requests: times.length,
        ms,
        p50Ms: quantile(0.5),
        p99Ms: quantile(0.99),
        bytes: receivedBytes,
      };
      return { ...result, unexpected, failed };
    },
  };
}

// One request over HTTP, from the look-up of the host to the headers of the answer. The socket gets
// the addresses that were checked for it, and looks up nothing itself.
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { AddressRefused, permittedAddresses, type TargetRules } from '../target/permitted.js';
import { HostNotFound, isLiteral } from '../target/resolve.js';
import type { AttemptError, DeliveryRequest } from './outcome.js';

/** For the connection, after the name is resolved. */
const CONNECT_TIMEOUT_MS = 5_000;
/** If a host has several addresses, the next one is tried after this time. */
const NEXT_ADDRESS_MS = 2_000;
const MAX_HEADER_BYTES = 16_384;

export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** The request failed before the headers of an answer arrived. */
export class ExchangeFailed extends Error {
  readonly code: AttemptError;
  /** True if the receiver may have closed an idle connection just when it was used again. */
  readonly mayRepeat: boolean;

  constructor(code: AttemptError, mayRepeat: boolean) {
    super(code);
    this.code = code;
    this.mayRepeat = mayRepeat;
  }
}

/**
 * Sends the request, and resolves to the answer. Throws ExchangeFailed. `ends` breaks the
 * connection, also while the answer is read.
 */
export async function exchange(
  request: DeliveryRequest,
  rules: TargetRules,
  agents: Agents,
  ends: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(request.url);
  const steps = new Steps(url.protocol === 'https:');
  try {
    // A socket looks up names alone.
    if (isLiteral(url.hostname)) {
      await permittedAddresses(url, rules);
      steps.connects();
    }
    return await answerOf(url, request, { rules, agents, ends, steps });
  } catch (error) {
    const code = ends.aborted ? 'timeout' : codeOf(error, steps.current);
    throw new ExchangeFailed(code, steps.isReused && !ends.aborted);
  } finally {
    steps.end();
  }
}

interface ExchangeParts {
  readonly rules: TargetRules;
  readonly agents: Agents;
  readonly ends: AbortSignal;
  readonly steps: Steps;
}

function answerOf(
  url: URL,
  { headers, body }: DeliveryRequest,
  { rules, agents, ends, steps }: ExchangeParts,
): Promise<IncomingMessage> {
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: checkedLookup(url, rules, steps),
    maxHeaderSize: MAX_HEADER_BYTES,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http });
    const breakOff = () => {
      sent.destroy();
      reject(new Error('the time is up'));
    };
    if (ends.aborted) return breakOff();
    ends.addEventListener('abort', breakOff, { once: true });
    sent.on('socket', socket => steps.follow(socket));
    sent.on('response', resolve);
    // Any answer to it would be an answer of another protocol.
    sent.on('upgrade', (_answer, socket) => socket.destroy());
    // An error may also follow the answer. Each request ends with this event.
    sent.on('error', reject);
    sent.on('close', () => {
      ends.removeEventListener('abort', breakOff);
      reject(new Error('closed without an answer'));
    });
    sent.end(body);
  });
}

/** The step that a request is at: a failure means something else in each of them. */
type Step = 'resolve' | 'connect' | 'tls' | 'answer';

class Steps {
  readonly #isTls: boolean;
  #timer: NodeJS.Timeout | undefined;
  #socket: Socket | undefined;
  current: Step = 'resolve';
  isReused = false;

  constructor(isTls: boolean) {
    this.#isTls = isTls;
  }

  follow(socket: Socket): void {
    this.#socket = socket;
    this.isReused = !socket.connecting;
    if (this.isReused) {
      this.current = 'answer';
      return;
    }
    socket.once('connect', () => {
      this.end();
      this.current = this.#isTls ? 'tls' : 'answer';
    });
    socket.once('secureConnect', () => {
      this.current = 'answer';
    });
  }

  /** The addresses are known. */
  connects(): void {
    this.current = 'connect';
    this.#timer ??= setTimeout(
      () => this.#socket?.destroy(new Error('not connected in time')),
      CONNECT_TIMEOUT_MS,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Gives the socket the addresses that deliveries may reach. */
function checkedLookup(url: URL, rules: TargetRules, steps: Steps): LookupFunction {
  return (_hostname, { all }, callback) => {
    permittedAddresses(url, rules).then(
      permitted => {
        steps.connects();
        const found = permitted.map(address => ({ address, family: isIP(address) }));
        const [first] = found;
        if (all || !first) callback(null, found);
        else callback(null, first.address, first.family);
      },
      error => callback(error, []),
    );
  };
}

function codeOf(error: unknown, step: Step): AttemptError {
  if (error instanceof HostNotFound) return 'dns_failed';
  if (error instanceof AddressRefused) return 'address_refused';
  switch (step) {
    case 'resolve':
      return 'dns_failed';
    case 'connect':
      return 'connect_failed';
    case 'tls':
      return 'tls_failed';
    case 'answer':
      return 'invalid_response';
  }
}

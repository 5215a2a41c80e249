import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACCOUNTS } from '../identity-provider/accounts.ts';
import { faultSwitch } from '../faults.ts';
import { listen } from '../web.ts';
import {
  type Answer,
  type ReceivedRequest,
  type Generation,
  isWrite,
  Refusal,
  isUpgraded,
  PREFLIGHT,
  refused,
  writeAnswer,
  toH5Address,
} from './received-request.ts';
import { openCredentials, type TokenKind } from './credentials.ts';
import { deliver, type FileOf, isDeliveryHost } from './deliver.ts';
import { EXAMPLE, EXAMPLE_SEED, type HostedSeed } from './example.ts';
import { HostedFault, plannedFaults, HostedSwitches } from './switches.ts';
import { openService } from './service.ts';
import { type Json, openStore } from './store.ts';

export interface HostedOptions {
  /** Of the current addresses and the sites' hosts; defaults to any free port. */
  readonly port?: number;
  readonly successorPort?: number;
  readonly switches?: Partial<HostedSwitches>;
  /** The initial data, instead of the example. */
  readonly seed?: HostedSeed;
  /** Whether it is a token of the authoring system that this stand-in did not sign itself. */
  readonly isForeignToken?: (token: string) => boolean;
  readonly fileOf?: FileOf;
  readonly headOf?: HeadOf;
}

/** The commit of a branch of a repository. */
export type HeadOf = (owner: string, repo: string, branch: string) => Promise<string | undefined>;

export interface HostedRequest {
  readonly generation: Generation;
  readonly method: string;
  /** With its query, as sent. */
  readonly path: string;
  /** 0 if there was no response. */
  readonly status: number;
}

/** The stand-in of the hosted configuration service. */
export interface Hosted {
  /** Of the current generation (H5). */
  readonly address: string;
  /** Of the next generation (H6), with the same data. */
  readonly successor: string;
  /** The domains after `{ref}--{site}--{org}.` in the hosts of sites. */
  readonly previewDomain: string;
  readonly liveDomain: string;
  readonly requests: readonly HostedRequest[];
  /** What no client may send: a dry run, a confirmation or a precondition with a write, and the repetition of a creation. */
  readonly violations: readonly string[];
  set(switches: Partial<HostedSwitches>): void;
  fault(fault: HostedFault): void;
  /** Issues a credential. `session`: `{email}`; `apiKey`: `{sub, roles}`, which is then listed in the configuration that `sub` names. */
  token(kind: TokenKind, claims?: Json): string;
  /** A token for the guarded hosts of a site. */
  siteToken(org: string, site: string): string;
  /** A push to a branch, reported to the service by the vendor's app: the code is synchronized. */
  push(owner: string, repo: string, branch: string): Promise<void>;
  /** A change by someone else, at an H5 address. Counts in no limit and in no list; throws if it is refused. */
  change(method: string, path: string, body?: unknown): void;
  close(): Promise<void>;
}

const CONTROL = '/sandbox/hosted';

export async function startHosted(options: HostedOptions = {}): Promise<Hosted> {
  let switches = HostedSwitches.parse(options.switches ?? {});
  const requests: HostedRequest[] = [];
  const violations: string[] = [];
  const [planned, outage] = [plannedFaults(), faultSwitch()];
  const siteTokens = new Map<string, string>();
  const store = openStore(() => switches);
  const credentials = openCredentials({ ims: () => switches.ims, isForeign: options.isForeignToken ?? (() => false) });
  let domain = '';
  const issueSiteToken = (org: string, site: string): string => {
    const token = `hlxtst_${randomBytes(24).toString('base64url')}`;
    siteTokens.set(token, `${org}/${site}`);
    return token;
  };
  const heads = new Map<string, string | undefined>();
  const readHead = async (owner: string, repo: string, branch: string) =>
    void heads.set(`${owner}/${repo}/${branch}`, await options.headOf?.(owner, repo, branch).catch(() => undefined));
  const service = openService({
    store,
    head: (repository, branch) => heads.get(`${repository}/${branch}`),
    credentials,
    issueSiteToken,
    people: [...new Set([...ACCOUNTS.map(({ email }) => email), EXAMPLE.publisher])],
    switches: () => switches,
    hosts: ({ name, org }, ref) => ({
      preview: `${ref}--${name}--${org}.preview.${domain}`,
      live: `${ref}--${name}--${org}.live.${domain}`,
    }),
  });
  service.plant(options.seed ?? EXAMPLE_SEED);
  const rate = rateOfOrganizations();
  const creations = unansweredCreations();
  let successor = '';

  const answerHttp = async (generation: Generation, request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const received: ReceivedRequest = {
      generation,
      method,
      path: decoded(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      body: await bytesOf(request),
    };
    const current = generation === 'H5' ? received.path : (toH5Address(received.path) ?? received.path);
    const [, owner, repo, branch] = (method === 'POST' && /^\/code\/([^/]+)\/([^/]+)\/([^/]+)\//.exec(current)) || [];
    if (owner !== undefined && repo !== undefined && branch !== undefined) await readHead(owner, repo, branch);
    const note = (status: number) => void requests.push({ generation, method, path: request.url ?? '/', status });
    const org = /^\/\w+\/([^/.]+)/.exec(current)?.[1] ?? '';
    const used = org === '' ? 0 : rate(org);
    const send = (answer: Answer) => {
      note(answer.status);
      writeAnswer(response, answer, { request: received, switches, used, successor: isUpgraded(current, switches) ? successor : '' });
    };
    if (method === 'OPTIONS') return send({ status: 204, headers: PREFLIGHT });
    const violation = violationOf(received) ?? creations.repeated(received, current);
    if (violation !== undefined) {
      violations.push(violation);
      return send(refused(new Refusal(500, violation)));
    }
    if (switches.requestsPerSecond > 0 && used > switches.requestsPerSecond)
      return send({ ...refused(new Refusal(429)), headers: switches.retryAfter ? { 'retry-after': '1' } : {} });
    const faults = planned.take({ method, path: current });
    for (const { write } of faults) if (write !== undefined) service.change(write.method, write.path, write.body);
    const fault = faults.find(({ kind }) => kind !== 'foreign');
    if (fault === undefined) return send(attempt(() => service.answer(received)));
    if (fault.takesEffect && attempt(() => service.answer(received)).status < 300) creations.add(received, current);
    if (fault.kind === 'answer') return send(refused(new Refusal(fault.status)));
    note(0);
    if (fault.kind === 'cut') request.socket.destroy();
  };
  /** Errors that are not answers of the service are bugs of this program. */
  const attempt = (answer: () => Answer): Answer => {
    try {
      return answer();
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      violations.push(`The stand-in failed: ${String(error)}`);
      return refused(new Refusal(500, `The stand-in failed: ${String(error)}`));
    }
  };
  /** For the console: POST sets switches; at `…/faults` it plans a fault. */
  const control = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const body: unknown = request.method === 'POST' ? JSON.parse((await bytesOf(request)).toString()) : {};
      if (request.url === `${CONTROL}/faults`) planned.add(HostedFault.parse(body));
      else switches = HostedSwitches.parse(Object.assign({}, switches, body));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ switches, violations, requests: requests.length }, null, 2));
    } catch (error) {
      response.writeHead(400).end(`${String(error)}\n`);
    }
  };
  const listener = (generation: Generation) => (request: IncomingMessage, response: ServerResponse) => {
    if (isDeliveryHost(request.headers.host)) {
      if (request.headers['x-auth-token'] !== undefined) violations.push(`${request.headers.host} was sent a credential of the service.`);
      const parts = { store, switches: () => switches, siteOfToken: (token: string) => siteTokens.get(token), fileOf: options.fileOf };
      return void deliver(parts, request, response).catch(() => response.destroy());
    }
    outage.handle(request, response, () => {
      const answered = request.url?.startsWith(CONTROL) === true ? control(request, response) : answerHttp(generation, request, response);
      answered.catch((error: unknown) => {
        violations.push(`The stand-in failed: ${String(error)}`);
        response.destroy();
      });
    });
  };
  const current = await listen(options.port ?? 0, listener('H5'));
  const next = await listen(options.successorPort ?? 0, listener('H6'));
  domain = current.address.slice('http://'.length);
  successor = next.address;
  return {
    address: current.address,
    successor,
    previewDomain: `preview.${domain}`,
    liveDomain: `live.${domain}`,
    requests,
    violations,
    set: (changed) => void (switches = HostedSwitches.parse({ ...switches, ...changed })),
    fault: planned.add,
    token: (kind, claims = {}) => (kind === 'apiKey' ? service.registeredKey(claims) : credentials.token(kind, claims)),
    siteToken: issueSiteToken,
    change: service.change,
    async push(owner, repo, branch) {
      await readHead(owner, repo, branch);
      service.change('POST', `/code/${owner}/${repo}/${branch}/*`);
    },
    async close() {
      outage.stop();
      await Promise.all([current.stop(), next.stop()]);
    },
  };
}

/** Counts the requests of an organization within the last second. */
function rateOfOrganizations(): (org: string) => number {
  const times = new Map<string, number[]>();
  return (org) => {
    const now = Date.now();
    const recent = [...(times.get(org) ?? []).filter((time) => time > now - 1000), now];
    times.set(org, recent);
    return recent.length;
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '//';
  }
}

/** Requests that look like a dry run or have a condition: this service writes nevertheless. */
function violationOf({ method, query, headers, path }: ReceivedRequest): string | undefined {
  if (!isWrite(method)) return undefined;
  const parameter = ['dryRun', 'confirm'].find((name) => query.has(name));
  const header = ['x-dry-run', 'if-match', 'if-none-match', 'if-unmodified-since'].find((name) => headers[name] !== undefined);
  const found = parameter ?? header;
  return found === undefined ? undefined : `${method} ${path} carries ${found}, which the hosted service ignores: it would have written.`;
}

/** Remembers creations whose answer did not reach the client: repeating the request creates a second entry. */
function unansweredCreations() {
  const known = new Set<string>();
  const keyOf = ({ method, headers, body }: ReceivedRequest, path: string): string | undefined =>
    method === 'POST' && /\/(?:users|secrets|tokens|apiKeys)\.json$/.test(path)
      ? [path, headers['x-auth-token'] ?? headers.authorization, body.toString()].join(' ')
      : undefined;
  return {
    add(received: ReceivedRequest, path: string): void {
      const key = keyOf(received, path);
      if (key !== undefined) known.add(key);
    },
    repeated(received: ReceivedRequest, path: string): string | undefined {
      const key = keyOf(received, path);
      return key !== undefined && known.has(key)
        ? `POST ${path} was repeated, though the first one may have created something.`
        : undefined;
    },
  };
}

import { defined } from '@repoless/contract/json.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { CheckStarted } from '@repoless/contract/site-check.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import type { FetchHosted, HostedAnswer, HostedRequest } from './fetch-hosted.ts';
import type { Credential } from './credential.ts';
import { type About, refusalOf } from './refusals.ts';
import type { RunningRollouts } from './rollout-document.ts';
import type { Store, StoredChange } from './store.ts';
import { mayLeaveFolder } from '@repoless/contract/addresses.ts';

export interface BridgeOptions {
  readonly fetchHosted: FetchHosted;
  readonly store: Store;
  /** Scheme and host of generation 5, and of generation 6. */
  readonly service: string;
  readonly successor: string;
  /** `detect` queries each site once; generation 5 answers for all. */
  readonly generation: Generation | 'detect';
  /** Base address of the code host's raw files. */
  readonly codeHostRaw: string;
  /** What clients learn about the deployment. */
  readonly info: ServiceInfo;
  readonly now: () => Date;
  /** Content paths of sites, which the list of sites does not have; absent: they are omitted. */
  readonly paths?: PathMemory;
  /** Called when a check of all sites of an organization ends before the last one, with the error, if any. */
  readonly checkStopped?: (org: string, running: { readonly done: number; readonly total: number }, error?: unknown) => void;
  readonly rollouts?: RunningRollouts;
}

/** `public.paths` of sites by `org/site`, until one is written or expires. Empty: it has none. */
export interface PathMemory {
  get(site: string): object | undefined;
  set(site: string, paths: object): unknown;
  delete(site: string): unknown;
}

export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  /** The change that it made, for callers within the bridge. */
  readonly change?: StoredChange;
}

export interface Preconditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** The checks of all sites in progress in this program, by organization. */
export type RunningChecks = Map<string, CheckStarted['running']>;

/** One call of the contract, parsed, with access to the hosted service on behalf of its caller. */
export interface Call extends Preconditions {
  readonly method: string;
  /** As the caller wrote it, for the stored change. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly isDryRun: boolean;
  readonly credential: Credential | undefined;
  readonly options: BridgeOptions;
  /** Reads what all calls of the same caller share, and caches it. */
  cached<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Those that this bridge is working on. */
  readonly rollouts: RunningRollouts;
  readonly checks: RunningChecks;
}

/** An e-mail address, or `api-key:<id>`. */
export function callerName({ credential }: Pick<Call, 'credential'>): string {
  return credential?.email ?? (credential?.id === undefined ? '' : `api-key:${credential.id}`);
}

export type Operation = (call: Call) => Promise<Outcome>;

interface RequestParts {
  readonly method?: HostedRequest['method'];
  readonly query?: object;
  readonly json?: unknown;
  readonly text?: { readonly type: string; readonly body: string };
  /** Set if only one generation has it. */
  readonly generation?: Generation;
}

/** Calls the hosted service on behalf of the caller. Refuses with HOSTED_UNREACHABLE if there is no response. */
export async function callHosted(
  call: Call,
  name: HostedAddress,
  params: Readonly<Record<string, string>>,
  parts: RequestParts = {},
): Promise<HostedAnswer> {
  const { options, credential } = call;
  const isWrite = parts.method !== undefined && parts.method !== 'GET';
  const { org, site } = params;
  const clearPaths = () => (isWrite && org !== undefined && site !== undefined ? options.paths?.delete(`${org}/${site}`) : undefined);
  if (isWrite && call.isDryRun) throw new Error('A dry run never writes to the hosted service.');
  const generation = parts.generation ?? (await generationOf(call, params));
  const body = parts.text?.body ?? (parts.json === undefined ? undefined : JSON.stringify(parts.json));
  const type = parts.text?.type ?? (parts.json === undefined ? undefined : 'application/json');
  return await options
    .fetchHosted({
      method: parts.method ?? 'GET',
      base: generation === 5 ? options.service : options.successor,
      path: hostedPath(name, generation, params, parts.query),
      headers: { ...credential?.headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...defined({ body, org: params['org'] }),
      caller: callerKey(call),
      needsRole: isOfConfiguration(name),
    })
    .catch((error: unknown) => {
      // It was not sent.
      if (error instanceof Refusal) throw error;
      if (isWrite) throw outcomeUnknown(error);
      throw new Refusal('HOSTED_UNREACHABLE', 'The hosted service does not respond.', { data: { says: 'no response' }, cause: error });
    })
    // A concurrent read may have cached the previous state.
    .finally(clearPaths);
}

/** A write got no response, and nothing can tell its outcome. */
export function outcomeUnknown(cause?: unknown): Refusal {
  const sentence = 'The hosted service gave no answer, and whether it stored the change is unknown. Read it again before you repeat it.';
  return new Refusal('OUTCOME_UNKNOWN', sentence, cause === undefined ? {} : { cause });
}

/**
 * Sends a write that is not of a document, once. Throws refusals; without a response, or after an error of the hosted service, its outcome
 * is unknown.
 */
export async function send(
  call: Call,
  name: HostedAddress,
  params: Readonly<Record<string, string>>,
  parts: RequestParts & { readonly method: 'PUT' | 'POST' | 'DELETE' },
): Promise<HostedAnswer> {
  const answer = await callHosted(call, name, params, parts);
  if (answer.status >= 500) throw outcomeUnknown(refusalOf(answer, aboutOf(call, params)));
  if (answer.status >= 300) throw refusalOf(answer, aboutOf(call, params));
  return answer;
}

/** The document at an address; undefined if there is none. Refuses what the hosted service refuses. */
export async function read(call: Call, name: HostedAddress, params: Readonly<Record<string, string>>, query?: object): Promise<unknown> {
  const answer = await callHosted(call, name, params, query === undefined ? {} : { query });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200 && answer.status !== 202) throw refusalOf(answer, aboutOf(call, params));
  const value = parseJson(answer.text);
  // Every readable address answers an object or a list.
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value;
}

/** The response is not from the hosted service, for example a page of a proxy. */
export function unreadable(): Refusal {
  return new Refusal('HOSTED_UNREACHABLE', 'The hosted service answered something that is not JSON.', { data: { says: 'no JSON' } });
}

export function aboutOf(call: Call, params: Readonly<Record<string, string>>): About {
  const { org = '', site, profile } = params;
  return { org, ...(site === undefined ? {} : { site }), ...(profile === undefined ? {} : { profile }), credential: call.credential };
}

export async function generationOf(call: Call, params: Readonly<Record<string, string>>): Promise<Generation> {
  const { generation } = call.options;
  if (generation !== 'detect') return generation;
  const { org, site } = params;
  if (org === undefined || site === undefined) return 5;
  return await call.cached(`generation ${org}/${site}`, async () => ((await isUpgraded(call.options, org, site, callerKey(call))) ? 6 : 5));
}

/** Tells callers apart in the queue by their credential: nothing else about them is verified before the hosted service answers. */
export function callerKey({ credential }: Pick<Call, 'credential'>): string {
  return Object.values(credential?.headers ?? {}).join(' ');
}

export async function isUpgraded(
  { fetchHosted, service }: Pick<BridgeOptions, 'fetchHosted' | 'service'>,
  org: string,
  site: string,
  caller = '',
): Promise<boolean> {
  const answer = await fetchHosted({ method: 'GET', base: service, path: printAddress(PING, { org, site }), org, caller });
  return answer.headers[UPGRADE_HEADER] === 'true';
}

/** Describes the effect of a write instead of making it. The hosted service has no dry run and would make the write. */
export function dryRunAnswer(prediction: Omit<DryRun, 'dryRun'>): Outcome {
  return { status: 200, body: { dryRun: true, ...prediction } satisfies DryRun };
}

/** The hosted service has two generations of addresses; both use the same documents. */
export type Generation = 5 | 6;

/** Every address of the hosted service that is used, for generation 5 (`admin.hlx.page`) and 6 (`api.aem.live`). */
const ADDRESSES = {
  org: ['/config/{org}.json', '/{org}/config.json'],
  orgPart: ['/config/{org}/{part*}.json', '/{org}/config/{part*}.json'],
  sites: ['/config/{org}/sites.json', '/{org}/sites'],
  site: ['/config/{org}/sites/{site}.json', '/{org}/sites/{site}/config.json'],
  sitePart: ['/config/{org}/sites/{site}/{part*}.json', '/{org}/sites/{site}/config/{part*}.json'],
  siteText: ['/config/{org}/sites/{site}/{part*}', '/{org}/sites/{site}/config/{part*}'],
  profiles: ['/config/{org}/profiles.json', '/{org}/profiles'],
  profile: ['/config/{org}/profiles/{profile}.json', '/{org}/profiles/{profile}/config.json'],
  profilePart: ['/config/{org}/profiles/{profile}/{part*}.json', '/{org}/profiles/{profile}/config/{part*}.json'],
  aggregate: ['/config/{org}/aggregated/{site}.json', '/{org}/aggregated/{site}/config.json'],
  code: ['/code/{owner}/{repo}/{ref}/*', '/{org}/repos/{site}/code/{ref}/*'],
  jobs: ['/job/{org}/{site}/{ref}/code', '/{org}/sites/{site}/jobs/code'],
  job: ['/job/{org}/{site}/{ref}/code/{name}', '/{org}/sites/{site}/jobs/code/{name}'],
  jobDetails: ['/job/{org}/{site}/{ref}/code/{name}/details', '/{org}/sites/{site}/jobs/code/{name}/details'],
  log: ['/log/{org}/{site}/{ref}', '/{org}/sites/{site}/log'],
  status: ['/status/{org}/{site}/{ref}', '/{org}/sites/{site}/status'],
  self: ['/profile', '/profile'],
  login: ['/login/{org}/{site}/{ref}', '/{org}/sites/{site}/login'],
} as const;
export type HostedAddress = keyof typeof ADDRESSES;

/** Whether an address belongs to the configuration, which only callers with a role may read; jobs and status of an open site are public. */
function isOfConfiguration(name: HostedAddress): boolean {
  return ADDRESSES[name][0].startsWith('/config/');
}

/**
 * The header `x-api-upgrade-available` of this address says whether a site is served by generation 6. Only generation 5 has it, and it
 * answers 200 for any name.
 */
const PING = '/ping/{org}/{site}';
const UPGRADE_HEADER = 'x-api-upgrade-available';

/**
 * Returns the encoded path and query of an address, given its name, its parameters and the query. Refuses names that would lead to another
 * address with NAME_INVALID: those of a repository or a user come from a document that someone else may have written.
 */
export function hostedPath(name: HostedAddress, generation: Generation, params: Readonly<Record<string, string>>, query?: object): string {
  const template = ADDRESSES[name][generation === 5 ? 0 : 1];
  if (mayLeaveFolder(printAddress(template, params)))
    throw new Refusal('NAME_INVALID', 'A name leads to another address of the hosted service: it may not be "." or "..".');
  return printAddress(template, params, query);
}

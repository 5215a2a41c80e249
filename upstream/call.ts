import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { type Generation, type HostedAddress, hostedPath, isOfConfiguration, PING, UPGRADE_HEADER } from './addresses.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import type { Ask, HostedAnswer, HostedRequest } from './ask.ts';
import type { Credential } from './credential.ts';
import type { RunningChecks } from './org-check.ts';
import { type About, refusalOf } from './refusals.ts';
import type { RunningRollouts } from './rollout-sites.ts';
import type { Store, StoredChange } from './store.ts';

export interface BridgeOptions {
  readonly ask: Ask;
  readonly store: Store;
  /** Scheme and host of generation 5, and of generation 6. */
  readonly service: string;
  readonly successor: string;
  /** `detect` asks once for each site; generation 5 answers for all. */
  readonly generation: Generation | 'detect';
  /** Where raw files of the code host are read. */
  readonly codeHostRaw: string;
  /** What a client is told of the deployment. */
  readonly info: ServiceInfo;
  readonly now: () => Date;
  /** Where the content of sites is, which their list does not say; absent: it is left out. */
  readonly paths?: PathMemory;
  /** Called when a check of all sites of an organization ended before the last one, with the error, if there was one. */
  readonly checkStopped?: (org: string, running: { readonly done: number; readonly total: number }, error?: unknown) => void;
  /** Holds the rollouts that are under way, for whoever looks at them from outside. */
  readonly rollouts?: RunningRollouts;
}

/** `public.paths` of sites by `org/site`, until one is written or has been known for long. Empty: it has none. */
export interface PathMemory {
  get(site: string): object | undefined;
  set(site: string, paths: object): unknown;
  delete(site: string): unknown;
}

/** An answer of the contract, before it is printed. */
export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  /** What it changed, for callers within the bridge. */
  readonly change?: StoredChange;
}

export interface Preconditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** One call of the contract: what it asks, parsed, and the way to the hosted service as its caller. */
export interface Call extends Preconditions {
  readonly method: string;
  /** As the caller wrote it, for what is stored. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly isDryRun: boolean;
  readonly credential: Credential | undefined;
  readonly options: BridgeOptions;
  /** What is the same for every call of the caller, read once. */
  remembered<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Those that this bridge works on. */
  readonly rollouts: RunningRollouts;
  readonly checks: RunningChecks;
}

/** An e-mail address, or `api-key:<id>`. */
export function callerName({ credential }: Pick<Call, 'credential'>): string {
  return credential?.email ?? (credential?.id === undefined ? '' : `api-key:${credential.id}`);
}

export type Operation = (call: Call) => Promise<Outcome>;

interface Asked {
  readonly method?: HostedRequest['method'];
  readonly query?: object;
  readonly json?: unknown;
  readonly text?: { readonly type: string; readonly body: string };
  /** Where one generation alone has it. */
  readonly generation?: Generation;
}

/** Asks the hosted service as the caller. Refuses with HOSTED_UNREACHABLE where no answer comes. */
export async function ask(
  call: Call,
  name: HostedAddress,
  params: Readonly<Record<string, string>>,
  asked: Asked = {},
): Promise<HostedAnswer> {
  const { options, credential } = call;
  const isWrite = asked.method !== undefined && asked.method !== 'GET';
  const { org, site } = params;
  const forget = () => (isWrite && org !== undefined && site !== undefined ? options.paths?.delete(`${org}/${site}`) : undefined);
  if (isWrite && call.isDryRun) throw new Error('A dry run never writes to the hosted service.');
  const generation = asked.generation ?? (await generationOf(call, params));
  const body = asked.text?.body ?? (asked.json === undefined ? undefined : JSON.stringify(asked.json));
  const type = asked.text?.type ?? (asked.json === undefined ? undefined : 'application/json');
  return await options
    .ask({
      method: asked.method ?? 'GET',
      base: generation === 5 ? options.service : options.successor,
      path: hostedPath(name, generation, params, asked.query),
      headers: { ...credential?.headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
      ...(params['org'] === undefined ? {} : { org: params['org'] }),
      caller: askerOf(call),
      needsRole: isOfConfiguration(name),
    })
    .catch((error: unknown) => {
      // It was not sent.
      if (error instanceof Refusal) throw error;
      if (isWrite) throw outcomeUnknown(error);
      throw new Refusal('HOSTED_UNREACHABLE', 'The hosted service does not respond.', { data: { says: 'no response' }, cause: error });
    })
    // What somebody read meanwhile may be what was before.
    .finally(forget);
}

/** A write got no answer, and nothing decides what became of it. */
export function outcomeUnknown(cause?: unknown): Refusal {
  const sentence = 'The hosted service gave no answer, and whether it stored the change is unknown. Read it again before you repeat it.';
  return new Refusal('OUTCOME_UNKNOWN', sentence, cause === undefined ? {} : { cause });
}

/** A write that is not of a document, sent once. Refuses what was refused; without an answer, or after an error of the hosted service, its outcome is unknown. */
export async function send(
  call: Call,
  name: HostedAddress,
  params: Readonly<Record<string, string>>,
  asked: Asked & { readonly method: 'PUT' | 'POST' | 'DELETE' },
): Promise<HostedAnswer> {
  const answer = await ask(call, name, params, asked);
  if (answer.status >= 500) throw outcomeUnknown(refusalOf(answer, aboutOf(call, params)));
  if (answer.status >= 300) throw refusalOf(answer, aboutOf(call, params));
  return answer;
}

/** The document at an address; undefined where there is none. Refuses what the hosted service refuses. */
export async function read(call: Call, name: HostedAddress, params: Readonly<Record<string, string>>, query?: object): Promise<unknown> {
  const answer = await ask(call, name, params, query === undefined ? {} : { query });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200 && answer.status !== 202) throw refusalOf(answer, aboutOf(call, params));
  const value = parseJson(answer.text);
  // Whatever is read is an object or a list.
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value;
}

/** The answer is none of the hosted service: a page of something in between, for example. */
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
  return await call.remembered(`generation ${org}/${site}`, async () =>
    (await isUpgraded(call.options, org, site, askerOf(call))) ? 6 : 5,
  );
}

/** What tells callers apart in the queue: their own credential, for nothing else of it is verified before the hosted service answers. */
export function askerOf({ credential }: Pick<Call, 'credential'>): string {
  return Object.values(credential?.headers ?? {}).join(' ');
}

/** Whether a site is served at the addresses of generation 6. */
export async function isUpgraded(
  { ask, service }: Pick<BridgeOptions, 'ask' | 'service'>,
  org: string,
  site: string,
  caller = '',
): Promise<boolean> {
  const answer = await ask({ method: 'GET', base: service, path: printAddress(PING, { org, site }), org, caller });
  return answer.headers[UPGRADE_HEADER] === 'true';
}

/** What a write would do, instead of doing it. The hosted service knows no dry run, and would make the write. */
export function tried(trial: Omit<DryRun, 'dryRun'>): Outcome {
  return { status: 200, body: { dryRun: true, ...trial } satisfies DryRun };
}

import { DEFAULT_CONNECTOR } from '@repoless/contract/addresses.ts';
import { REPOLESS_PROJECT_TYPE, TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import { type Feature, FEATURES, type ServiceInfo } from '@repoless/contract/service.ts';
import { VERSION } from '@repoless/contract/version.ts';
import type { Bridge } from './bridge.ts';
import type { Generation } from './call.ts';
import { OPERATIONS } from './operations.ts';

/** Addresses of a hosted service and its sites. */
export interface HostedService {
  /** Scheme and host of generation 5, and of generation 6. */
  readonly service: string;
  readonly successor: string;
  readonly previewDomain: string;
  readonly liveDomain: string;
  /** Scheme and host of the code host, and of its files. */
  readonly codeHost: string;
  readonly codeHostRaw: string;
  readonly protocol: 'http' | 'https';
  readonly generation: Generation | 'detect';
}

const HOSTED = {
  service: 'https://admin.hlx.page',
  successor: 'https://api.aem.live',
  previewDomain: 'aem.page',
  liveDomain: 'aem.live',
  codeHost: 'https://github.com',
  codeHostRaw: 'https://raw.githubusercontent.com',
  protocol: 'https',
} as const;

/** Settings for a hosted service that is not at the vendor's address. Omitted ones default to the vendor's. */
export interface HostedSettings {
  readonly service?: string | undefined;
  readonly successor?: string | undefined;
  readonly previewDomain?: string | undefined;
  readonly liveDomain?: string | undefined;
  readonly codeHost?: string | undefined;
  readonly codeHostRaw?: string | undefined;
  /** `5`, `6` or `detect` (by site; 5 answers for all). */
  readonly generation?: string | undefined;
}

/** The hosted service at an address; undefined if it is neither the vendor's nor the configured one: then it is our own service. */
export function hostedServiceAt(address: string, { generation: named, service, ...own }: HostedSettings): HostedService | undefined {
  const isSuccessor = address === HOSTED.successor;
  const generation = named === 'detect' ? 'detect' : named === '6' || (named === undefined && isSuccessor) ? 6 : 5;
  if (address === HOSTED.service || isSuccessor) return { ...HOSTED, generation };
  if (address !== service?.replace(/\/+$/, '')) return undefined;
  return {
    service: address,
    successor: own.successor ?? address,
    previewDomain: own.previewDomain ?? HOSTED.previewDomain,
    liveDomain: own.liveDomain ?? HOSTED.liveDomain,
    codeHost: own.codeHost ?? HOSTED.codeHost,
    codeHostRaw: own.codeHostRaw ?? HOSTED.codeHostRaw,
    protocol: address.startsWith('http:') ? 'http' : 'https',
    generation,
  };
}

/** The call that shows whether the bridge has a feature. */
const CALL_OF: Readonly<Partial<Record<Feature, string>>> = {
  checks: 'putSiteCheck',
  events: 'listEvents',
  rollouts: 'startRollout',
  log: 'getLog',
};

/** What clients learn about it. It has no dry runs: the bridge answers those and never forwards them. */
export function infoOf({ protocol, previewDomain, liveDomain, codeHost, service }: HostedService): ServiceInfo {
  return {
    name: 'repoless',
    version: VERSION,
    protocol,
    previewDomain,
    liveDomain,
    codeHost,
    repolessProjectType: REPOLESS_PROJECT_TYPE,
    configurationTemplate: '/libs/core/franklin/templates/configuration',
    technicalAccountProperty: TECHNICAL_ACCOUNT_PROPERTY,
    connector: DEFAULT_CONNECTOR,
    apiKeyLifetimeLimit: 31_536_000,
    hosted: service,
    features: ['dry-run', ...FEATURES.filter((feature) => (CALL_OF[feature] ?? '') in OPERATIONS)],
  };
}

type Fetch = typeof globalThis.fetch;

/** A `fetch` that routes requests for the service to the bridge, and all others to `otherwise`. */
export function bridgedFetch(bridge: Bridge, service: string, otherwise: Fetch): Fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const address = request?.url ?? (input instanceof URL ? input.href : typeof input === 'string' ? input : input.url);
    if (address !== service && !address.startsWith(`${service}/`)) return await otherwise(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    const body = init?.body ?? (request === undefined ? undefined : await request.text());
    const answer = await bridge({
      method: init?.method ?? request?.method ?? 'GET',
      path: address.slice(service.length) || '/',
      headers: Object.fromEntries(headers),
      ...(typeof body === 'string' ? { body } : {}),
    });
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: answer.headers });
  };
}

import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { CHALLENGE_PATH, type Org, type OwnOrgs } from '@repoless/contract/org.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Site, SiteInput } from '@repoless/contract/site.ts';
import { VERSION } from '@repoless/contract/version.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { VERSION_NAMES } from '@repoless/core/situation/site-calls.ts';
import { EDGE_PROPERTY, PREVIOUS_PROPERTY } from '@repoless/core/situation/edge-configuration.ts';
import type { AuthoringSettings, NewConfiguration, PageProbe, Previous, Setting } from '@repoless/core/situation/situation.ts';
import type { Call, Failure, Known } from '@repoless/core/situation/call.ts';
import { createHistoryWorld } from './history-world.ts';

/** The state of the remote systems; tests set and inspect it. */
export interface World {
  signedIn: boolean;
  claimed: boolean;
  /** Whether the challenge of a claim is in the repository. */
  committed: boolean;
  pageExists: boolean;
  title: string;
  /** The Edge Delivery configuration, by the authoring system's own property names. */
  readonly properties: Map<string, string>;
  configurationInherited: boolean;
  /** Whether the page selects its configuration; `properties` are those at the configuration's path in any case. */
  selected: boolean;
  /** The organizations that the caller may choose from if none is set. */
  organizations: OwnOrgs | undefined;
  configurationPage: boolean;
  /** Whether the configuration page has content. */
  isPageFilled: boolean;
  technicalAccount: string | undefined;
  /** Versions of the service's site; the last is current, undefined is a deletion. */
  readonly versions: (Site | undefined)[];
  /** The other people who stored versions, by number. */
  readonly others: Map<number, string>;
  /** The service's check of the code source. */
  code: CodeCheck;
  /** The latest sync; absent: there was none, and the next one succeeds. */
  job: JobStatus | undefined;
  /** The preview host's answer for the start page. */
  startPage: Omit<PageProbe, 'address'>;
  /** Who has locked the configuration in the authoring system. */
  lockedBy: string | undefined;
  /** Answers a read with a failure. */
  refuse: (address: string) => Failure | undefined;
  /** Answers a write with a failure. */
  refuseWrite: (call: Call) => Failure | undefined;
  /** Each write waits for this. */
  gate: Promise<void>;
  /** Each read of the page waits for this. */
  readGate: () => Promise<void>;
  readonly ports: SetupPorts;
}

export const AUTHOR = 'https://author-p100-e200.example.com';
export const PAGE = '/content/summit';
export const SERVICE = 'https://admin.example.com';
export const CALLER = 'ada.admin@example.com';

export const INFO: ServiceInfo = {
  name: 'repoless',
  version: VERSION,
  protocol: 'https',
  previewDomain: 'preview.example.com',
  liveDomain: 'live.example.com',
  codeHost: 'https://github.example.com',
  repolessProjectType: '4',
  configurationTemplate: '/libs/core/franklin/templates/configuration',
  technicalAccountProperty: 'technicalAccount',
  connector: 'franklin',
  features: ['dry-run', 'check-code'],
};
/** The service's answer to a dry run. */
export const TRIED: DryRun = { dryRun: true, status: 200, result: {}, diff: [] };
const TIME = '2026-03-04T05:06:07.000Z';
const JOB = 'job-2026-03-04-05-06-07-0a1b2c3d';
/** The latest job is one that succeeded. */
export const SYNCED = {
  name: JOB,
  state: 'stopped',
  jobs: [{ name: JOB, state: 'stopped', time: TIME, branch: 'main', href: '' }],
} satisfies Partial<JobStatus>;

/** An authoring system and a configuration service in memory, which only store writes. */
export function createWorld(): World {
  const world: World = {
    signedIn: true,
    claimed: true,
    committed: false,
    pageExists: true,
    title: 'Summit School',
    properties: new Map([
      ['owner', 'wknd'],
      ['repo', 'summit'],
      ['projectType', '1'],
    ]),
    configurationInherited: false,
    selected: true,
    organizations: undefined,
    configurationPage: false,
    isPageFilled: false,
    technicalAccount: 'p100-e200@techacct.example.com',
    versions: [],
    others: new Map(),
    code: { type: 'github', owner: 'wknd', repo: 'wknd', ref: 'main', repository: 'found', branch: 'found', detail: '' },
    job: undefined,
    startPage: { status: 200 },
    lockedBy: undefined,
    refuse: () => undefined,
    refuseWrite: () => undefined,
    gate: Promise.resolve(),
    readGate: async () => undefined,
    ports: {
      service: {
        info: async () => reading(world, '/service.json', () => known(INFO)),
        profile: async () => (world.signedIn ? known({ email: CALLER, iss: SERVICE, iat: 0, exp: 9e9, ttl: 7200 }) : { state: 'missing' }),
        organizations: async () => optional(world.organizations),
        organization: async () => (world.claimed ? known(organization()) : { state: 'missing' }),
        site: async () =>
          current(world, (config) => ({ config, own: config, etag: `"${world.versions.length}"`, version: world.versions.length })),
        ...unusedServiceCalls,
        codeCheck: async (_org, _site, { type, owner, repo }) => known({ ...world.code, type, owner, repo }),
        codeSync: async () => (world.job === undefined ? { state: 'missing' } : known(world.job)),
        history: createHistoryWorld().port,
        siteConfigurations: async () => current(world, (config) => ({ config, own: config, etag: `"${world.versions.length}"` })),
        effective: async () => current(world, (config) => config),
        configuration: async () => current(world, (config) => ({ config, etag: `"${world.versions.length}"` })),
        stored: async () => current(world, (config) => ({ value: config, etag: `"${world.versions.length}"` })),
        sites: async () => known({ sites: [] }),
        allSites: async () => known([]),
        versions: async () => known({ versions: world.versions.map((_, index) => entryOf(world, index + 1)) }),
        version: async (_org, _site, version) => optional(world.versions[version - 1]),
        challenge: async (org, repository) =>
          known({ org, repository, branch: 'main', path: CHALLENGE_PATH, token: 'proof-of-ada', expires: TIME }),
        claim: async () => known(organization()),
        dryRun: async ({ address }) =>
          address.endsWith('/wknd.json') && !world.committed
            ? { state: 'failed', failure: problem('CLAIM_NOT_PROVEN', 403, 'The challenge is not there.') }
            : known(TRIED),
        send: async (call) => write(world, call, () => (call.address.startsWith('/code/') ? sync(world) : writeSite(world, call))),
      },
      authoring: {
        ...unusedAuthoringCalls,
        settings: async (page) => {
          await world.readGate();
          return reading(world, page, () => (world.pageExists ? known(settings(world, page)) : { state: 'missing' }));
        },
        page: async (path) =>
          world.configurationPage || path === PAGE ? known({ path, resourceType: SPREADSHEET }) : { state: 'missing' },
        createdPage: async (path) =>
          world.configurationPage
            ? known({ path, resourceType: SPREADSHEET, isFilled: world.isPageFilled, createdBy: CALLER })
            : { state: 'missing' },
        send: async (call) => write(world, call, () => writeAuthoring(world, call)),
        holds: async () => ({ state: 'known', value: true }),
      },
      hosts: {
        config: async (address) => {
          const site = world.versions.at(-1);
          if (site?.public === undefined) return { address, status: 404, answer: { state: 'missing' } };
          return { address, status: 200, answer: known(site.public) };
        },
        file: async (address, path) => ({ address: `${address}${path}`, path, status: address.includes(INFO.codeHost) ? 404 : 200 }),
        page: async (address): Promise<PageProbe> => ({ address, ...(address.endsWith('/') ? world.startPage : { status: 200 }) }),
        delivery: async (address) => ({ address, path: new URL(address).pathname, status: 200 }),
      },
      wait: async () => undefined,
      now: () => new Date(TIME),
    },
  };
  return world;
}

/** Calls that this view does not use. */
const missing = async (): Promise<{ state: 'missing' }> => ({ state: 'missing' });
export const SPREADSHEET = 'core/franklin/components/spreadsheet/v1/spreadsheet';
const unusedServiceCalls = { secret: missing, removal: { secrets: missing, apiKeys: missing } };
const unusedAuthoringCalls = {
  children: missing,
  content: missing,
  edgeConfiguration: missing,
  lock: missing,
  mayWrite: missing,
  readyToWrite: async () => known('token'),
};

/** A refusal by the service with its problem document. */
export function problem(
  code: 'CLAIM_NOT_PROVEN' | 'NOT_AUTHENTICATED' | 'PRECONDITION_FAILED' | 'STORAGE_FULL',
  status: number,
  detail: string,
): Failure {
  return { kind: 'refused', status, problem: { type: 'about:blank', title: detail, status, detail, code, requestId: 'r-1' } };
}

function settings(world: World, page: string): AuthoringSettings {
  const configuration = `/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration`;
  const property = (name: string): Setting => setting(world.properties.get(name), { kind: 'configuration', path: configuration });
  const stored = world.properties.get(PREVIOUS_PROPERTY);
  return {
    author: AUTHOR,
    page,
    siteRoot: page,
    title: world.title,
    projectType: property('projectType'),
    organization: property('owner'),
    siteName: property('repo'),
    configurationPage: { source: { kind: 'missing' } },
    technicalAccount: setting(world.technicalAccount, { kind: 'configuration', path: configuration }),
    ...(world.selected ? {} : { newConfiguration: newConfiguration(world) }),
    cloudConfiguration: world.selected
      ? {
          value: '/conf/summit',
          source: world.configurationInherited ? { kind: 'inherited', from: '/content/wknd' } : { kind: 'page', path: page },
        }
      : { source: { kind: 'missing' } },
    deliveryAddress: { value: `${AUTHOR}/bin/franklin.delivery/wknd/summit/${DEFAULT_REF}`, source: { kind: 'derived' } },
    ...(stored === undefined ? {} : { previous: parsePrevious(stored), createdConfiguration: 'as-made' as const }),
    ...(world.lockedBy === undefined ? {} : { configurationLockedBy: world.lockedBy }),
  };
}

function newConfiguration({ properties }: World): NewConfiguration {
  return { path: '/conf/summit', selects: true, state: properties.size === 0 ? 'none' : 'there' };
}

function setting(value: string | undefined, source: Setting['source']): Setting {
  return value === undefined ? { source: { kind: 'missing' } } : { value, source };
}

/** The record was written by the setup under test. */
function parsePrevious(text: string): Previous {
  return JSON.parse(text) as Previous;
}

/** A version that is not in `others` was stored by the setup. */
function entryOf({ others }: World, version: number): VersionEntry {
  const user = others.get(version);
  return { version, created: TIME, ...(user === undefined ? { user: CALLER, name: VERSION_NAMES.setup } : { user }) };
}

function writeSite(world: World, { method, address, body }: Call): void {
  if (address.endsWith('/wknd.json')) return void (world.claimed = true);
  const restored = /restoreVersion=(\d+)/.exec(address)?.[1];
  if (method === 'DELETE') return void world.versions.push(undefined);
  if (restored !== undefined) return void world.versions.push(world.versions[Number(restored) - 1]);
  const input = SiteInput.parse(body?.type === 'json' ? body.value : undefined);
  world.versions.push(Site.parse({ ...input, version: 1, name: 'summit', created: TIME, lastModified: TIME }));
}

function writeAuthoring(world: World, { address, body }: Call): void {
  const fields = body?.type === 'form' ? body.fields : [];
  if (address.endsWith('/bin/wcmcommand')) world.configurationPage = true;
  if (fields.some(([name, value]) => name === ':operation' && value === 'delete')) {
    if (address.includes('/conf/')) world.properties.clear();
    else world.configurationPage = false;
  }
  if (address.endsWith(`${PAGE}/_jcr_content`)) world.selected = fields.some(([name]) => name === './cq:conf');
  for (const name of [...Object.values(EDGE_PROPERTY), PREVIOUS_PROPERTY]) {
    const value = fields.find(([field]) => field === `./${name}` || field === `./jcr:content/${name}`)?.[1];
    if (value !== undefined) world.properties.set(name, value);
    if (fields.some(([field]) => field === `./${name}@Delete`)) world.properties.delete(name);
  }
}

/** A sync that ends immediately. */
function sync(world: World): void {
  world.job = { topic: 'code', links: { self: '' }, ...SYNCED };
}

async function write(world: World, call: Call, apply: () => void): Promise<Known<unknown>> {
  await world.gate;
  const failure = refused(world.refuseWrite(call));
  if (failure !== undefined) return failure;
  apply();
  return known({});
}

function reading<T>(world: World, address: string, answer: () => Known<T>): Known<T> {
  return refused(world.refuse(address)) ?? answer();
}

function refused(failure: Failure | undefined): { state: 'failed'; failure: Failure } | undefined {
  return failure === undefined ? undefined : { state: 'failed', failure };
}

function current<T>(world: World, make: (site: Site) => T): Known<T> {
  const site = world.versions.at(-1);
  return site === undefined ? { state: 'missing' } : known(make(site));
}

function optional<T>(value: T | undefined): Known<T> {
  return value === undefined ? { state: 'missing' } : known(value);
}

function organization(): Org {
  const users: Org['users'] = [{ id: 'u1', email: CALLER, roles: ['admin'] }];
  return { version: 1, name: 'wknd', created: TIME, lastModified: TIME, users };
}

function known<T>(value: T): Known<T> {
  return { state: 'known', value };
}

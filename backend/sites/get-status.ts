import { type HostDomains, parseDeliveryAddress, siteAddress, type SiteHost, type Tier } from '@repoless/contract/addresses.ts';
import { defined } from '@repoless/contract/json.ts';
import { GRANTS, hostReaders } from '@repoless/contract/access.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { hostLabelProblem } from '@repoless/contract/names.ts';
import type { Site } from '@repoless/contract/site.ts';
import {
  type EditStatus,
  HOST_ANSWERS,
  type HostStatus,
  type PathStatus,
  type ServedFrom,
  type Status,
} from '@repoless/contract/status.ts';
import { mayReadHost } from '../access/permit.ts';
import { rolesOf } from '../access/roles.ts';
import { originOf } from '../code/rules/code-origin.ts';
import { shownError } from '../code/rules/get-job.ts';
import type { CodeAvailability, CodeFiles, CodeOrigin } from '../code/rules/ports.ts';
import type { Context, Operation } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { StoredOrg } from '../domain/ports.ts';
import { siteNotFound } from './find-site.ts';
import { callerProfile } from '../sessions/sign-in.ts';

export interface StatusServices {
  readonly files: CodeFiles;
  readonly probe: PathProbe;
  readonly hosts: HostDomains;
  /** Scheme, host and port of the service, without a trailing slash. */
  readonly publicAddress: string;
}

type Rows = typeof endpoints;

/** The status of a branch: its hosts, its code, and what the caller may do (docs/contract.md 8.3). */
export function statusOperations(services: StatusServices): {
  readonly getStatus: Operation<Rows['getStatus']>;
  readonly getPathStatus: Operation<Rows['getPathStatus']>;
} {
  return {
    getStatus: async (context, { params }) => ({ result: 'done', body: (await branchStatus(services, context, params)).status }),
    getPathStatus: async (context, { params, query }) => {
      const path = `/${params.path}`;
      const { status, config, mayKnow } = await branchStatus(services, context, params);
      const { preview, live, code, links } = status;
      const location = { ...params, path };
      const isAnyKnown = mayKnow.preview || mayKnow.live;
      const found = isAnyKnown ? await services.probe({ ...location, config }) : undefined;
      const known = mayKnow.preview ? found?.preview : found?.live;
      const body: PathStatus = {
        ...status,
        webPath: path,
        resourcePath: resourceOf(path),
        preview: onHost(preview, path, mayKnow.preview ? found?.preview : undefined),
        live: onHost(live, path, mayKnow.live ? found?.live : undefined),
        edit: query.editUrl === 'auto' ? editOf(location, config, known) : {},
        ...(code !== undefined && { code: { ...code, status: codeOf(code, path, known) } }),
        links: { ...links, status: `${links.status}${path}`, code: `${links.code}${path}` },
      };
      return { result: 'done', body };
    },
  };
}

interface BranchStatus {
  readonly status: Status;
  readonly config: Site;
  /** Whether the caller may know what a host serves: anyone with a role, and anyone who may read it. */
  readonly mayKnow: Readonly<Record<Tier, boolean>>;
}

async function branchStatus({ files, hosts, publicAddress }: StatusServices, context: Context, location: SiteHost): Promise<BranchStatus> {
  const problem = hostLabelProblem(location.ref, location.site, location.org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const { org, site } = await context.store.reads.orgAndSite(location.org, location.site);
  if (org === undefined || site === undefined) throw siteNotFound(location);
  const { aggregate } = site;
  const roles = rolesOf(context.caller, org.config, aggregate);
  const permissions = Object.entries(GRANTS).flatMap(([name, granting]) =>
    !name.startsWith('org:') && granting.some((role) => roles.has(role)) ? [name] : [],
  );
  const origin = originOf(location.org, aggregate.code);
  const code = origin === undefined ? undefined : await files.availability(origin.key, location.ref);
  const host = (tier: Tier): HostStatus => ({
    url: siteAddress(hosts, tier, location),
    permissions: mayRead(context, org, aggregate, tier) ? ['read'] : [],
  });
  const [preview, live] = [host('preview'), host('live')];
  const profile = callerProfile(context.caller, context.now());
  const mayWrite = permissions.includes('code:sync');
  const at = (call: string) => `${publicAddress}/${call}/${location.org}/${location.site}/${location.ref}`;
  const status: Status = {
    preview,
    live,
    ...(code !== undefined &&
      origin !== undefined && {
        code: { ...pageState(code, origin, { hasRole: roles.size > 0 }), permissions: mayWrite ? ['read', 'write'] : ['read'] },
      }),
    permissions,
    ...(profile !== undefined && { profile }),
    links: {
      status: at('status'),
      code: at('code'),
      job: `${at('job')}/code`,
      log: at('log'),
      config: `${publicAddress}/config/${location.org}/sites/${location.site}.json`,
      sidekick: `${at('sidekick')}/config.json`,
    },
  };
  const mayKnow = (host: HostStatus) => roles.size > 0 || host.permissions.length > 0;
  return { status, config: aggregate, mayKnow: { preview: mayKnow(preview), live: mayKnow(live) } };
}

function mayRead({ caller }: Context, { org, config }: StoredOrg, site: Site, tier: Tier): boolean {
  const readers = hostReaders(site.access, tier);
  if (readers === undefined) return true;
  return caller.kind === 'user' && mayReadHost(caller, readers, { name: org, groups: config.groups }, site);
}

function onHost(host: HostStatus, path: string, found: PathResult | undefined): HostStatus {
  const url = `${host.url}${encodeURI(path)}`;
  if (found === undefined) return { ...host, url, status: HOST_ANSWERS.hidden };
  const { status, from, source, lastModified, error } = found;
  return {
    ...host,
    url,
    status,
    ...defined({ from, sourceLocation: source, lastModified, error }),
  };
}

/** Whether a path is a file of the code; the start page is not, which is 400 for clients of the public API. */
function codeOf(code: Pick<NonNullable<Status['code']>, 'status'>, path: string, found: PathResult | undefined): number {
  if (found?.from === 'code') return HOST_ANSWERS.served;
  return path === '/' && code.status !== HOST_ANSWERS.missing ? HOST_ANSWERS.unready : HOST_ANSWERS.missing;
}

/** What clients of the public API check before they continue: 200 there is code, 400 not yet, 404 there is none. */
const BRANCH_STATUSES = {
  served: HOST_ANSWERS.served,
  'in-progress': HOST_ANSWERS.unready,
  never: HOST_ANSWERS.missing,
  failed: HOST_ANSWERS.missing,
} as const satisfies Record<CodeAvailability['state'], number>;

function pageState(
  code: CodeAvailability,
  origin: CodeOrigin,
  reader: { readonly hasRole: boolean },
): Pick<NonNullable<Status['code']>, 'status' | 'state' | 'sha' | 'error'> {
  const { state } = code;
  const error = shownError(origin, 'error' in code ? code.error : undefined, reader);
  return {
    status: BRANCH_STATUSES[state],
    state,
    ...('sha' in code && { sha: code.sha }),
    ...(error !== undefined && { error }),
  };
}

/** The document behind a path. `found`: what the hosts have there; undefined if the caller may not know. */
function editOf(location: Pick<ProbedPath, 'org' | 'site' | 'path'>, config: Site, found: PathResult | undefined): EditStatus {
  const status = statusOf(found);
  const source = config.content?.source.url;
  const url = status === HOST_ANSWERS.missing ? undefined : editUrl({ ...location, path: documentPath(location.path, found) }, config);
  const sourceLocation = found?.from === 'mapping' ? found.source : source;
  return {
    status,
    ...defined({ url, sourceLocation }),
    ...(found?.lastModified !== undefined && { lastModified: found.lastModified }),
  };
}

/** The public service's name for a path's resource: a page is Markdown there. */
function resourceOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.md`;
  return /\.[^/]*$/.test(path) ? path : `${path}.md`;
}

/** Code files, and files derived from the configuration, have no document. */
function statusOf(found: PathResult | undefined): number {
  if (found === undefined) return HOST_ANSWERS.hidden;
  return found.from === 'code' || found.from === 'configuration' ? HOST_ANSWERS.missing : found.status;
}

/** For a folder, its page is edited. */
function documentPath(path: string, found: PathResult | undefined): string {
  return found?.from === 'folder' && found.source !== undefined ? found.source : path;
}

/**
 * From the sidekick's own pattern, filled in like its programs do; otherwise where the authoring system opens the page of its delivery
 * address.
 */
function editUrl({ org, site, path }: Pick<ProbedPath, 'org' | 'site' | 'path'>, { content, sidekick }: Site): string | undefined {
  const source = content?.source.url;
  const isPage = resourceOf(path).endsWith('.md');
  const pattern =
    sidekick?.editUrlPattern ?? (isPage && source !== undefined && parseDeliveryAddress(source) !== undefined ? OPENED : undefined);
  const values: Readonly<Record<string, string>> = {
    contentSourceUrl: source ?? '',
    org,
    site,
    pathname: path.endsWith('/') ? `${path}index` : path,
  };
  return pattern?.replaceAll(/\{\{(contentSourceUrl|org|site|pathname)\}\}/g, (_, name: string) => values[name] ?? '');
}

const OPENED = '{{contentSourceUrl}}{{pathname}}?cmd=open';

/** A host's answer for a path. */
export interface PathResult {
  readonly status: number;
  readonly from?: ServedFrom;
  readonly source?: string;
  /** When the content source says that it changed, in HTTP's format. */
  readonly lastModified?: string;
  /** Why it is not served, as a sentence. */
  readonly error?: string;
}

/** A path of a branch, with its leading slash, decoded. */
export interface ProbedPath extends SiteHost {
  /** The effective configuration of the site. */
  readonly config: Site;
  readonly path: string;
}

/** Searches for a path like the hosts, including the content source. Rejects with OVERLOADED if too many are waiting. */
export type PathProbe = (location: ProbedPath) => Promise<Readonly<Record<Tier, PathResult>>>;

import { siteAddress } from '#contract/addresses.ts';
import type { HostDomains, Tier } from '#contract/addresses.ts';
import type { endpoints } from '#contract/endpoints.ts';
import { hostLabelProblem } from '#contract/names.ts';
import { GRANTS } from '#contract/permissions.ts';
import type { Site } from '#contract/site.ts';
import { HOST_ANSWERS } from '#contract/status.ts';
import type { HostStatus, PathStatus, Status } from '#contract/status.ts';
import { originOf } from '../code/code-origin.ts';
import type { CodeOrigin } from '../code/code-origin.ts';
import type { CodeFiles, CodeStanding } from '../code/ports.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { StoredOrg } from '../ports.ts';
import { shownError } from '../jobs/job-view.ts';
import { hostReaders, mayReadHost } from '../roles/host-readers.ts';
import { rolesOf } from '../roles/roles-of.ts';
import { siteNotFound } from '../sites/find-site.ts';
import type { PathFound, PathLook } from './path-look.ts';

export interface StatusServices {
  readonly files: CodeFiles;
  readonly look: PathLook;
  readonly hosts: HostDomains;
  /** Scheme, host and port of the service, without a trailing slash. */
  readonly publicAddress: string;
}

type Rows = typeof endpoints;
interface Place {
  readonly org: string;
  readonly site: string;
  readonly ref: string;
}

/** How a branch stands: its hosts, its code, and what the caller may do (docs/contract.md 8.3). */
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
      const { org, site, ref } = params;
      const isAnyKnown = mayKnow.preview || mayKnow.live;
      const found = isAnyKnown ? await services.look({ org, site, ref, config, path }) : undefined;
      const isFile = found?.live.from === 'code' || found?.preview.from === 'code';
      const body: PathStatus = {
        ...status,
        webPath: path,
        resourcePath: resourceOf(path),
        preview: onHost(preview, path, mayKnow.preview ? found?.preview : undefined),
        live: onHost(live, path, mayKnow.live ? found?.live : undefined),
        edit: query.editUrl === 'auto' ? editOf(config, path) : {},
        ...(code !== undefined && { code: { ...code, status: isFile ? HOST_ANSWERS.served : HOST_ANSWERS.missing } }),
        links: { ...links, status: `${links.status}${path}`, code: `${links.code}${path}` },
      };
      return { result: 'done', body };
    },
  };
}

interface BranchStatus {
  readonly status: Status;
  readonly config: Site;
  /** Whether the caller may know what a host serves: somebody with a role, and whoever may read it. */
  readonly mayKnow: Readonly<Record<Tier, boolean>>;
}

async function branchStatus({ files, hosts, publicAddress }: StatusServices, context: Context, place: Place): Promise<BranchStatus> {
  const problem = hostLabelProblem(place.ref, place.site, place.org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const { org, site } = await context.store.reads.orgAndSite(place.org, place.site);
  if (org === undefined || site === undefined) throw siteNotFound(place);
  const { aggregate } = site;
  const roles = rolesOf(context.caller, org.config, aggregate);
  const permissions = Object.entries(GRANTS).flatMap(([name, granting]) =>
    !name.startsWith('org:') && granting.some((role) => roles.has(role)) ? [name] : [],
  );
  const origin = originOf(place.org, aggregate.code);
  const code = origin === undefined ? undefined : await files.standing(origin.key, place.ref);
  const host = (tier: Tier): HostStatus => ({
    url: siteAddress(hosts, tier, place),
    permissions: mayRead(context, org, aggregate, tier) ? ['read'] : [],
  });
  const [preview, live] = [host('preview'), host('live')];
  const mayWrite = permissions.includes('code:sync');
  const at = (call: string) => `${publicAddress}/${call}/${place.org}/${place.site}/${place.ref}`;
  const status: Status = {
    preview,
    live,
    ...(code !== undefined &&
      origin !== undefined && {
        code: { ...standingOf(code, origin, { hasRole: roles.size > 0 }), permissions: mayWrite ? ['read', 'write'] : ['read'] },
      }),
    permissions,
    links: {
      status: at('status'),
      code: at('code'),
      job: `${at('job')}/code`,
      log: at('log'),
      config: `${publicAddress}/config/${place.org}/sites/${place.site}.json`,
      sidekick: `${at('sidekick')}/config.json`,
    },
  };
  const mayKnow = (host: HostStatus) => roles.size > 0 || host.permissions.length > 0;
  return { status, config: aggregate, mayKnow: { preview: mayKnow(preview), live: mayKnow(live) } };
}

function mayRead({ caller }: Context, { org, config }: StoredOrg, site: Site, tier: Tier): boolean {
  const readers = hostReaders(site, tier);
  if (readers === undefined) return true;
  return caller.kind === 'user' && mayReadHost(caller, readers, { name: org, groups: config.groups }, site);
}

function onHost(host: HostStatus, path: string, found: PathFound | undefined): HostStatus {
  const url = `${host.url}${encodeURI(path)}`;
  if (found === undefined) return { ...host, url, status: HOST_ANSWERS.hidden };
  const { status, from, source, error } = found;
  return {
    ...host,
    url,
    status,
    ...(from !== undefined && { from }),
    ...(source !== undefined && { sourceLocation: source }),
    ...(error !== undefined && { error }),
  };
}

/** The name that the public service gives what lies behind a path: a page is Markdown there. */
function resourceOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.md`;
  return /\.[^/]*$/.test(path) ? path : `${path}.md`;
}

/** The sidekick's own pattern; without one the service does not know how pages are edited. */
function editOf({ content, sidekick }: Site, path: string): PathStatus['edit'] {
  const source = content?.source.url;
  const pattern = sidekick?.editUrlPattern;
  const url = pattern?.replaceAll('{{contentSourceUrl}}', source ?? '').replaceAll('{{pathname}}', path);
  return { ...(url !== undefined && { url }), ...(source !== undefined && { sourceLocation: source }) };
}

function standingOf(
  code: CodeStanding,
  origin: CodeOrigin,
  reader: { readonly hasRole: boolean },
): Pick<NonNullable<Status['code']>, 'status' | 'state' | 'sha' | 'error'> {
  const { state } = code;
  const error = shownError(origin, 'error' in code ? code.error : undefined, reader);
  return {
    status: state === 'served' ? HOST_ANSWERS.served : HOST_ANSWERS.missing,
    state,
    ...('sha' in code && { sha: code.sha }),
    ...(error !== undefined && { error }),
  };
}

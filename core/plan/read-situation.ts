import { configAddress } from '@repoless/contract/addresses.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { CODE_FILE_NAMES } from '@repoless/contract/code-check.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { defined, sameValue } from '@repoless/contract/json.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { nameProblem } from '@repoless/contract/names.ts';
import { hostDomains, type ServiceInfo } from '@repoless/contract/service.ts';
import { readMayAdminister } from '../checks/caller-permissions.ts';
import { EDITOR_FILES, pageAddress, previewOf, sheetAddress } from '../go-live/gate.ts';
import { readEditorFiles } from '../go-live/take-gate.ts';
import { authorOf, rootOnAuthor } from '../sites/organization-sites.ts';
import type { Known } from '../situation/call.ts';
import { codeChoice, repositoryKey } from '../situation/code-choice.ts';
import { readOnce, type SetupPorts } from '../situation/ports.ts';
import { createdPagePaths, mayBeOutdated, readSince } from '../situation/record.ts';
import type { AuthoringSettings, Choices, CreatedPage, FileProbe, Situation, Target } from '../situation/situation.ts';
import { isClaimed, proposeSiteName, targetOf } from '../situation/target.ts';
import { mayHaveMovedOn, syncStateOf } from '../sync/sync-state.ts';
import { type Edits, NO_EDITS, proposeChoices, proposeConfigurationPage, withEdits } from './choices.ts';
import { desiredDelivery } from './desired-site.ts';
import { claimCall, planSetup } from './plan-setup.ts';
import type { Step, StepId } from './plan.ts';

/**
 * Reads everything from which plan and checks are derived; changes nothing. Takes a page's path, a person's decisions that
 * differ from the proposal, and the organization with which the panel was opened, or the exact site in question. Returns
 * the situation; `missing` if there is no such page; `failed` if the service or the authoring system cannot be read at all.
 */
export async function readSituation(
  everyRead: SetupPorts,
  page: string,
  edits: Edits = NO_EDITS,
  named?: string | Target,
  reread?: Reread,
): Promise<Known<Situation>> {
  const ports = readOnce(everyRead);
  const known = reread?.info;
  const [info, profile] = await Promise.all([
    known === undefined ? ports.service.info() : ({ state: 'known', value: known } as const),
    ports.service.profile(),
  ]);
  if (info.state !== 'known') return info;
  const settings = await ports.authoring.settings(page, info.value, typeof named === 'object');
  if (settings.state !== 'known') return settings;
  const organizations = settings.value.organization.value === undefined ? await ports.service.organizations() : undefined;
  const read = { info: info.value, profile, settings: settings.value, ...(organizations === undefined ? {} : { organizations }) };
  if (typeof named === 'object') return { state: 'known', value: await readFor(ports, read, named, edits, reread) };
  const proposed = targetOf(settings.value, organizations, named);
  const target = { organization: edits.organization ?? proposed.organization, siteName: edits.siteName ?? proposed.siteName };
  const situation = await readFor(ports, read, target, edits, reread);
  const better = edits.siteName === undefined ? betterTarget(situation) : undefined;
  return { state: 'known', value: better === undefined ? situation : await readFor(ports, read, better, edits, reread) };
}

/**
 * The correct site if the settings name one that belongs to another page, or that doesn't have this content root. Undefined
 * if the settings may be right, and after an apply, whose record identifies the site.
 */
function betterTarget({ settings, target, otherRoot, dryRun }: Situation): Target | undefined {
  if (settings.previous !== undefined || target === undefined) return undefined;
  const { organization } = target;
  const refused = dryRun?.answer.state === 'failed' ? dryRun.answer.failure.problem : undefined;
  const { org, site } = refused?.code === 'CONTENT_ROOT_TAKEN' ? (refused.data ?? {}) : {};
  const fromPath = otherRoot?.state === 'known' ? proposeSiteName(settings.siteRoot, organization) : undefined;
  const siteName = org === organization ? (site ?? fromPath) : fromPath;
  return siteName === undefined || siteName === target.siteName ? undefined : { organization, siteName };
}

/** A run reads again what its plan depends on: not what only the checks use, and not the service's description of itself if it has that. */
interface Reread {
  readonly info: ServiceInfo | undefined;
}

type Read = Pick<Situation, 'info' | 'profile' | 'settings' | 'organizations'>;

/** Reads what belongs to an organization and a site, and sends the planned write as a dry run. */
async function readFor(ports: SetupPorts, read: Read, target: Target, edits: Edits, reread: Reread | undefined): Promise<Situation> {
  const { info, settings } = read;
  const supposed = edits.configurationPage ?? proposeConfigurationPage({ settings, site: { state: 'missing' } });
  const delivery = reread === undefined ? `${desiredDelivery(read, target)}${settings.siteRoot}.html` : undefined;
  const named = await readNamed(ports, target, supposed, delivery);
  const page = edits.configurationPage ?? proposeConfigurationPage({ settings, site: named.site });
  const [hosts, configurationPage] = await Promise.all([readHosts(ports, info, target, named), ports.authoring.page(page)]);
  const situation: Situation = {
    readAt: ports.now().toISOString(),
    target: { organization: target.organization, siteName: target.siteName },
    ...read,
    ...(ports.buildsAt === undefined || info.buildManagement === undefined ? {} : { mayLink: true as const }),
    ...named,
    ...hosts,
    configurationPage,
  };
  const completed = { ...situation, ...(await readFurther(ports, situation)) };
  const chosen = withEdits(proposeChoices(completed), edits);
  const { steps } = planSetup(completed, chosen);
  const [repository, dryRun, siteSince] = await Promise.all([
    readCodeSource(ports, completed, chosen),
    dryRunCall(ports, steps),
    mayBeOutdated(settings.previous, completed, steps) ? readSince(ports, settings.previous) : undefined,
  ]);
  const whole = {
    ...completed,
    ...(repository === undefined ? {} : { repository, files: [...completed.files, ...filesInRepository(completed, repository)] }),
    ...defined({ dryRun, siteSince }),
  };
  return mayHaveMovedOn(whole) ? { ...whole, codeSync: await ports.service.codeSync(target.organization, target.siteName) } : whole;
}

async function readNamed(ports: SetupPorts, target: Target, page: string, content: string | undefined) {
  const { organization: org, siteName } = target;
  const missing = { state: 'missing' } as const;
  const [organization, site, configurationPage, delivery] = await Promise.all([
    nameProblem('organization', org) === undefined ? ports.service.organization(org) : missing,
    isNamed(target) ? ports.service.site(org, siteName) : missing,
    ports.authoring.page(page),
    content !== undefined && isNamed(target) ? ports.hosts.delivery(content) : undefined,
  ]);
  return { organization, site, configurationPage, ...(delivery === undefined ? {} : { delivery }) };
}

function isNamed({ organization, siteName }: Target): boolean {
  return nameProblem('organization', organization) === undefined && nameProblem('site', siteName) === undefined;
}

type OnHosts = Pick<Situation, 'preview' | 'live' | 'files' | 'page' | 'sheet'>;

/** The answers of the site's hosts. If the site is known not to exist, its hosts serve nothing and are not read. */
async function readHosts(
  { hosts }: SetupPorts,
  info: ServiceInfo,
  target: Target,
  { organization, site }: Pick<Situation, 'organization' | 'site'>,
): Promise<OnHosts> {
  if (!isNamed(target)) return { files: [] };
  const { organization: org, siteName } = target;
  const domains = hostDomains(info);
  const [preview, live] = [configAddress(domains, 'preview', org, siteName), configAddress(domains, 'live', org, siteName)];
  const gate = { info, organization: org, siteName };
  if (organization.state === 'known' && site.state === 'missing') {
    const nothing = { status: 404, answer: { state: 'missing' } } as const;
    const files = EDITOR_FILES.map((path) => ({ path, address: `${previewOf(gate)}${path}`, status: 404 }));
    return { preview: { address: preview, ...nothing }, live: { address: live, ...nothing }, files };
  }
  const [onPreview, onLive, files, page, sheet] = await Promise.all([
    hosts.config(preview),
    hosts.config(live),
    readEditorFiles(hosts, gate),
    hosts.page(pageAddress(gate)),
    hosts.page(sheetAddress(gate)),
  ]);
  return { preview: onPreview, live: onLive, files, page, sheet };
}

async function readCodeSource({ service }: SetupPorts, situation: Situation, choices: Choices) {
  const mayRead = isNamed(choices) && (situation.organization.state === 'failed' || isClaimed(situation));
  return mayRead ? service.codeCheck(choices.organization, choices.siteName, choices.code) : undefined;
}

async function readFurther(ports: SetupPorts, situation: Situation): Promise<Partial<Situation>> {
  const { organization, site, settings, target } = situation;
  if (target === undefined) return {};
  const previous = readPreviousSite(ports, settings);
  const [claim, sites, baseConfiguration, previousSite, createdPages, otherRoot, codeSync, secret, mayAdminister] = await Promise.all([
    organization.state === 'missing' && !isClaimed(situation) && nameProblem('organization', target.organization) === undefined
      ? ports.service.dryRun(claimCall(target.organization))
      : undefined,
    organization.state === 'known' && site.state === 'missing' ? ports.service.sites(target.organization) : undefined,
    readBaseConfiguration(ports, situation),
    previous,
    previous.then((previousSite) => readCreatedPages(ports, { ...situation, ...(previousSite === undefined ? {} : { previousSite }) })),
    readOtherRoot(ports, situation),
    site.state === 'known' ? ports.service.codeSync(target.organization, target.siteName) : undefined,
    site.state === 'known' && codeChoice(site.value.config.code)?.type === 'byogit'
      ? ports.service.secret(target.organization, target.siteName)
      : undefined,
    readMayAdminister(ports, situation, target),
  ]);
  const sibling = sites?.state === 'known' ? sharedCode(sites.value.sites) : undefined;
  return {
    ...defined({ claim, siblingCode: sibling, baseConfiguration, previousSite }),
    ...(createdPages.length === 0 ? {} : { createdPages }),
    ...defined({ otherRoot, codeSync, secret, mayAdminister }),
    files: await filesSince(ports, situation, codeSync),
  };
}

/** A sync may have ended between checking the host and reading its job: what was not served before is checked again. */
async function filesSince(
  ports: SetupPorts,
  { info, site, target, files }: Situation,
  job: Situation['codeSync'],
): Promise<readonly FileProbe[]> {
  const source = site.state === 'known' ? codeChoice(site.value.config.code)?.type : undefined;
  if (target === undefined || source === undefined || job?.state !== 'known' || syncStateOf(job.value, source).state !== 'done')
    return files;
  if (files.every(({ status }) => status !== 404)) return files;
  const now = await readEditorFiles(ports.hosts, { info, ...target });
  return files.map((file) => (file.status === 404 ? (now.find(({ path }) => path === file.path) ?? file) : file));
}

function sharedCode(sites: readonly { readonly code?: CodeSource | undefined }[]): CodeSource | undefined {
  const codes = sites.flatMap(({ code }) => (code === undefined ? [] : [code]));
  const count = (code: CodeSource) => codes.filter((other) => sameValue(sharedBy(other), sharedBy(code))).length;
  return codes.toSorted((one, other) => count(other) - count(one))[0];
}

function sharedBy(code: CodeSource) {
  const choice = codeChoice(code);
  return choice?.type === 'github' ? repositoryKey(choice) : choice;
}

/** Files of the site's repository, as the service found them there; none of another chosen repository. */
function filesInRepository({ info, site }: Situation, found: Situation['repository']): FileProbe[] {
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  if (code === undefined || found?.state !== 'known' || found.value.files === undefined) return [];
  const { owner, repo, files } = found.value;
  if (repositoryKey(code) !== repositoryKey(found.value)) return [];
  return CODE_FILE_NAMES.map((name) => {
    const status = files[name] === 'found' ? 200 : files[name] === 'missing' ? 404 : 'unreachable';
    return { path: `/${name}`, address: `${info.codeHost}/${owner}/${repo}/${name}`, status };
  });
}

async function readOtherRoot(ports: SetupPorts, { site, settings }: Situation) {
  const root = site.state === 'known' ? contentRoot(site.value.config.public?.paths?.mappings ?? []) : undefined;
  if (root === undefined || `${root}/`.startsWith(`${settings.siteRoot}/`)) return undefined;
  return ports.authoring.page(root);
}

async function readPreviousSite(ports: SetupPorts, { previous }: AuthoringSettings) {
  if (previous === undefined || previous.siteVersion === null) return undefined;
  return ports.service.version(previous.org, previous.site, previous.siteVersion);
}

async function readCreatedPages(ports: SetupPorts, situation: Situation): Promise<CreatedPage[]> {
  return Promise.all(createdPagePaths(situation).map(async (path) => ({ path, page: await ports.authoring.page(path) })));
}

/** A claim has its own dry run, a secret is sent only once, and a sync starts with its step. */
const TRIED: ReadonlySet<string> = new Set<StepId>(['register-site', 'map-paths', 'set-access']);

/** Asks the service whether it would accept the plan's write, without changing anything. */
async function dryRunCall(ports: SetupPorts, steps: readonly Step[]): Promise<Situation['dryRun']> {
  const organizationKnown = steps.find((step) => step.id === 'claim-organization')?.state.kind === 'done';
  const call = steps.find((step) => TRIED.has(step.id) && step.call !== undefined)?.call;
  if (call === undefined || !organizationKnown) return undefined;
  return { call, answer: await ports.service.dryRun(call) };
}

/** Maximum number of sites whose configuration is tried, the likeliest first. */
const CANDIDATES = 3;

/**
 * The configuration from which a new one is created: the effective one from above, otherwise that of another site of the
 * organization on the same author, the base site first. Undefined if none is needed or found.
 */
async function readBaseConfiguration(ports: SetupPorts, situation: Situation): Promise<EdgeConfiguration | undefined> {
  const { settings, target, organization } = situation;
  if (settings.newConfiguration === undefined || target === undefined) return undefined;
  const above = [settings.organization, settings.siteName, settings.projectType].map(({ source }) => source);
  const inherited = above.find((source) => source.kind === 'inherited');
  if (inherited !== undefined) return configurationAt(ports, inherited.from);
  if (organization.state !== 'known') return undefined;
  const sites = await ports.service.sites(target.organization);
  if (sites.state !== 'known') return undefined;
  const rootOf = (site: Parameters<typeof rootOnAuthor>[0]) => rootOnAuthor(site, settings.author);
  // The hosted service's list does not contain the content source of a site: its configuration does.
  const candidates = sites.value.sites
    .filter((site) => rootOf(site) !== undefined || (site.public === undefined && authorOf(site) === settings.author))
    .toSorted((one, other) => Number(isBase(other)) - Number(isBase(one)))
    .toSorted((one, other) => Number(rootOf(one) === undefined) - Number(rootOf(other) === undefined))
    .slice(0, CANDIDATES);
  for (const site of candidates) {
    const read = rootOf(site) === undefined ? await ports.service.configuration(target.organization, site.name) : undefined;
    const root = read?.state === 'known' ? rootOf(read.value.config) : rootOf(site);
    if (root === undefined) continue;
    const page = await ports.authoring.content(root);
    const conf = page.state === 'known' ? page.value.ownConfiguration : undefined;
    const found = conf === undefined ? undefined : await configurationAt(ports, conf);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function configurationAt({ authoring }: SetupPorts, conf: string): Promise<EdgeConfiguration | undefined> {
  const found = await authoring.edgeConfiguration(conf);
  return found.state === 'known' ? found.value : undefined;
}

/** The base site has the name of its repository, ignoring case. */
function isBase({ name, code }: { readonly name: string; readonly code?: Parameters<typeof codeChoice>[0] }): boolean {
  return codeChoice(code)?.repo.toLowerCase() === name.toLowerCase();
}

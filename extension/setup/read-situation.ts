import { configAddress, siteAddress } from '#contract/addresses.ts';
import type { CodeSource } from '#contract/code-source.ts';
import { contentRoot } from '#contract/mappings.ts';
import { DEFAULT_REF, nameProblem } from '#contract/names.ts';
import type { ServiceInfo } from '#contract/service.ts';
import { desiredDelivery } from './desired-site.ts';
import { claimCall, planSetup } from './plan-setup.ts';
import type { StepId } from './plan.ts';
import type { SetupPorts } from './ports.ts';
import { codeChoice, proposeChoices, proposeConfigurationPage } from './propose-choices.ts';
import { sameJson } from './same-json.ts';
import type { AuthoringSettings, Choices } from './settings.ts';
import type { FileProbe, Known, Situation, Target } from './situation.ts';
import { EDITOR_FILES, REPOSITORY_FILES } from './site-files.ts';
import { betterTarget, targetOf } from './target.ts';

/**
 * Reads everything that plan and checks are made from, afresh; changes nothing. In: a page's path, and what a person
 * chose (absent: what would be proposed). Out: the situation; `missing` where there is no such page; `failed` where the
 * service or the authoring system cannot be read at all.
 */
export async function readSituation(ports: SetupPorts, page: string, choices?: Choices): Promise<Known<Situation>> {
  const [info, profile] = await Promise.all([ports.service.info(), ports.service.profile()]);
  if (info.state !== 'known') return info;
  const settings = await ports.authoring.settings(page, info.value);
  if (settings.state !== 'known') return settings;
  const read = { info: info.value, profile, settings: settings.value };
  if (choices !== undefined) return { state: 'known', value: await readFor(ports, read, choices, choices) };
  const situation = await readFor(ports, read, targetOf(settings.value));
  const better = betterTarget(situation);
  return { state: 'known', value: better === undefined ? situation : await readFor(ports, read, better) };
}

type Read = Pick<Situation, 'info' | 'profile' | 'settings'>;

/** Reads what belongs to an organization and a site, and rehearses what would be written for the choices. */
async function readFor(ports: SetupPorts, read: Read, target: Target, choices?: Choices): Promise<Situation> {
  const { info, settings } = read;
  const supposed = choices?.configurationPage ?? proposeConfigurationPage({ settings, site: { state: 'missing' } });
  const around = await readAround(ports, info, settings, target, supposed);
  const page = choices?.configurationPage ?? proposeConfigurationPage({ settings, site: around.site });
  const situation: Situation = {
    readAt: ports.now().toISOString(),
    target: { organization: target.organization, siteName: target.siteName },
    ...read,
    ...around,
    ...(page === supposed ? {} : { configurationPage: await ports.authoring.page(page) }),
  };
  const completed = { ...situation, ...(await readFurther(ports, situation)) };
  return rehearse(ports, completed, choices ?? proposeChoices(completed));
}

/** Everything that needs nothing but the names, at once. */
async function readAround(ports: SetupPorts, info: ServiceInfo, settings: AuthoringSettings, target: Target, page: string) {
  const { organization: org, siteName } = target;
  const named = nameProblem('organization', org) === undefined && nameProblem('site', siteName) === undefined;
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  const missing = { state: 'missing' } as const;
  const [organization, site, configurationPage, preview, live, delivery, files] = await Promise.all([
    nameProblem('organization', org) === undefined ? ports.service.organization(org) : missing,
    named ? ports.service.site(org, siteName) : missing,
    ports.authoring.page(page),
    named ? ports.hosts.config(configAddress(hosts, 'preview', org, siteName)) : undefined,
    named ? ports.hosts.config(configAddress(hosts, 'live', org, siteName)) : undefined,
    named ? ports.hosts.delivery(`${desiredDelivery({ settings, info }, target)}${settings.siteRoot}.html`) : undefined,
    named ? readFiles(ports, siteAddress(hosts, 'preview', { ref: DEFAULT_REF, site: siteName, org })) : [],
  ]);
  return {
    organization,
    site,
    configurationPage,
    files,
    ...(preview === undefined ? {} : { preview }),
    ...(live === undefined ? {} : { live }),
    ...(delivery === undefined ? {} : { delivery }),
  };
}

function readFiles(ports: SetupPorts, address: string): Promise<FileProbe[]> {
  return Promise.all(EDITOR_FILES.map((path) => ports.hosts.file(address, path)));
}

/** What only some situations need. */
async function readFurther(ports: SetupPorts, situation: Situation): Promise<Partial<Situation>> {
  const { organization, site, settings, target } = situation;
  if (target === undefined) return {};
  const [claim, sites, previousSite, repository, otherRoot, codeSync, secret] = await Promise.all([
    organization.state === 'missing' && nameProblem('organization', target.organization) === undefined
      ? ports.service.rehearse(claimCall(target.organization))
      : undefined,
    organization.state === 'known' && site.state === 'missing' ? ports.service.sites(target.organization) : undefined,
    readPreviousSite(ports, settings),
    readRepository(ports, situation),
    readOtherRoot(ports, situation),
    site.state === 'known' ? ports.service.codeSync(target.organization, target.siteName) : undefined,
    site.state === 'known' && codeChoice(site.value.config.code)?.type === 'byogit'
      ? ports.service.secret(target.organization, target.siteName)
      : undefined,
  ]);
  const sibling = sites?.state === 'known' ? sharedCode(sites.value.sites) : undefined;
  return {
    ...(claim === undefined ? {} : { claim }),
    ...(sibling === undefined ? {} : { siblingCode: sibling }),
    ...(previousSite === undefined ? {} : { previousSite }),
    ...(otherRoot === undefined ? {} : { otherRoot }),
    ...(codeSync === undefined ? {} : { codeSync }),
    ...(secret === undefined ? {} : { secret }),
    files: [...situation.files, ...repository],
  };
}

/** The code source that most of the sites have. */
function sharedCode(sites: readonly { readonly code?: CodeSource | undefined }[]): CodeSource | undefined {
  const codes = sites.flatMap(({ code }) => (code === undefined ? [] : [code]));
  const count = (code: CodeSource) => codes.filter((other) => sameJson(codeChoice(other), codeChoice(code))).length;
  return codes.toSorted((one, other) => count(other) - count(one))[0];
}

/** Files of the site's repository on the code host, where a deployment says at which address they can be read. */
async function readRepository(ports: SetupPorts, { info, site }: Situation): Promise<FileProbe[]> {
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  if (info.codeHostRaw === undefined || code?.type !== 'github') return [];
  const address = `${info.codeHostRaw}/${code.owner}/${code.repo}/${DEFAULT_REF}`;
  return Promise.all(REPOSITORY_FILES.map((path) => ports.hosts.file(address, path)));
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

/** A claim is rehearsed by itself, and a secret is sent but once. */
const NOT_REHEARSED: ReadonlySet<string> = new Set<StepId>(['claim-organization', 'store-secret']);

/** Asks the service, without changing anything, whether it would take the write that the plan makes. */
async function rehearse(ports: SetupPorts, situation: Situation, choices: Choices): Promise<Situation> {
  const { steps } = planSetup(situation, choices);
  const organizationKnown = steps.find((step) => step.id === 'claim-organization')?.state.kind === 'done';
  const call = steps.find((step) => !NOT_REHEARSED.has(step.id) && step.call?.target === 'service')?.call;
  if (call === undefined || !organizationKnown) return situation;
  return { ...situation, rehearsal: { call, answer: await ports.service.rehearse(call) } };
}

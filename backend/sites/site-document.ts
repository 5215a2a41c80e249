import { GRANTS } from '@repoless/contract/access.ts';
import { type CodeSource, completeCode } from '@repoless/contract/code-source.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { canonical, defined } from '@repoless/contract/json.ts';
import { DEFAULT_REF, hostLabelProblem } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import type { ContentSource, Profile, ProfileInput, Site, SiteInput } from '@repoless/contract/site.ts';
import { groupConsequences, siteConsequences } from '@repoless/core/access/consequences.ts';
import { createHash } from 'node:crypto';
import { isOpen, requireMayExtend, permit } from '../access/permit.ts';
import { type Grants, peopleContext, checkAccessChange, rolesOf } from '../access/roles.ts';
import { changeDocument, effectiveConfig, within } from '../changes/change-document.ts';
import type { Change, DocumentKind, Draft } from '../changes/change.ts';
import type { Context, DomainSettings, Outcome } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads, StoredOrg } from '../domain/ports.ts';
import type { StoredSecret } from '../secrets/secret-box.ts';
import { requireSameAddresses, withoutValues } from '../secrets/take-secrets.ts';
import { aggregateSite, withSuffix } from '@repoless/contract/aggregate-site.ts';
import {
  checkAggregate,
  checkNeighbours,
  pathWarnings,
  profileOf,
  refuseErrors,
  refuseSecondHolder,
  siteIndexKeys,
  type SiteName,
  withStoredYaml,
} from './check-site.ts';
import { partNotFound, shownSite } from './find-site.ts';
import type { StoredSite } from './ports.ts';
import { headerErrors } from './site-headers.ts';
import type { Caller } from '../sessions/identity.ts';

export type SiteChange = Change<SiteName>;
type SiteDraft = Draft<SiteName, Site, SiteInput, StoredSite>;

/** Sites. Roles, the rules about neighbors and required parts apply to the site together with its profile. */
export const SITES: DocumentKind<SiteName, Site, SiteInput, StoredSite> = {
  nameOf: ({ org, site }) => ({ org, site }),
  subject: ({ org, site }) => ({ kind: 'site', org, site }),
  title: ({ org, site }) => `The site "${org}/${site}"`,
  ownName: ({ site }) => site,
  secretsOf: ({ org, site }) => ({ org, site }),
  find: shownSite,
  partMissing: partNotFound,
  async load(_context, reads, { name }) {
    const [{ org, site }, usage] = await Promise.all([reads.orgAndSite(name.org, name.site), reads.usage(name.org)]);
    return { org, current: site, usage };
  },
  permit: ({ caller }, { name, permission }, { org, current }) =>
    permit(caller, permission, { name: name.org, org, site: current?.aggregate }),
  missing: (_context, { org, site }) =>
    new Refusal('SITE_NOT_FOUND', 'Error updating config: config not found.', {
      detail: `The site "${org}/${site}" does not exist. Register it first: PUT /config/${org}/sites/${site}.json.`,
      data: { org, site },
    }),
  async remove({ context, reads, org, current }) {
    if (current !== undefined) await refuseHolderRemoval(reads, context.caller, org, current);
    return {};
  },
  complete: ({ context, change, input, current }, times) =>
    completeSite(change.name, isWholeSite(change) ? withStoredYaml(input, current?.config) : input, times, context.settings),
  async merge({ context, change: { name }, reads, permitted, current, config }) {
    // Before anything reveals whether there is such a profile.
    if (permitted !== undefined) requireMayExtend(context.caller, permitted, current?.aggregate, config);
    const profile = await profileOf(reads, name.org, config);
    return { aggregate: aggregateSite(config, profile), inherited: grantsOf(name, profile) };
  },
  async check(draft) {
    const { context, change, reads, permitted, current, aggregate, inherited, input } = draft;
    const { caller } = context;
    await within(change, () => checkYaml(draft));
    const before = current?.aggregate;
    await within(change, () => checkAggregate(change.name, aggregate));
    if (permitted === undefined) return;
    const confirmed = change.query.confirm === true;
    // The people in a profile are not a change made by a new site.
    await within(change, () => checkAccessChange({ caller, org: permitted, before: before ?? inherited, after: aggregate, confirmed }));
    if (siteIndexKeys(aggregate).holdsSecret)
      await requireSameAddresses(reads, { caller, org: permitted, site: change.name.site, before, after: aggregate, sent: input.secrets });
  },
  warnings: ({ view }, config) => pathWarnings(view, config),
  async checkSecrets({ change, reads, aggregate }, secrets) {
    if (bringsSecret(secrets)) await refuseSecondHolder(reads, change.name, aggregate);
  },
  async checkOthers({ change: { name }, reads, current, config, aggregate }, bytes) {
    await checkNeighbours(reads, name, { config, aggregate }, current);
    const { repository } = siteIndexKeys(aggregate);
    const had = current === undefined ? undefined : siteIndexKeys(current.aggregate).repository;
    const usage = current === undefined ? { sites: 1, versions: 1, bytes: 2 * bytes } : { versions: 1, bytes };
    return { usage, repositories: repository === undefined || repository === had ? [] : [repository] };
  },
  async put({ now }, writes, { name: { org, site } }, { config, aggregate, etag }, version) {
    if (config === null || aggregate === undefined) await writes.deleteSite(org, site, now());
    else {
      const extended = aggregate === config ? {} : { aggregate };
      await writes.putSite({ org, site, config, ...extended, etag: etag ?? etagOf(config), version, ...siteIndexKeys(aggregate) });
    }
  },
  async consequences({ caller }, _reads, _name, { org, current, aggregate }) {
    const people = peopleContext(caller, org);
    return groupConsequences(siteConsequences(current && effectiveConfig(current), aggregate, people).map((what) => ({ what, sites: [] })));
  },
  async stored({ firstSyncs }, { name: { org }, view }, { aggregate, secrets }) {
    if (aggregate === undefined) return;
    if (bringsSecret(secrets)) await firstSyncs?.secretStored(org, aggregate.code);
    if (['', '/code', '/extends'].includes(view?.pointer ?? '')) await firstSyncs?.codeStored(org, aggregate.code);
  },
};

export function changeSite(context: Context, change: SiteChange): Promise<Outcome> {
  return changeDocument(context, SITES, change);
}

/**
 * Completes a client's input into the document to store, and refuses what breaks a rule across fields (docs/contract.md 3.2).
 * `checkAggregate` checks what may come from a profile. `times`: when the site was created, and now.
 */
export function completeSite(
  name: SiteName,
  input: SiteInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Site {
  const problem = hostLabelProblem(DEFAULT_REF, name.site, name.org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  return canonical({
    ...input,
    ...completedParts(input, settings.codeHost),
    version: 1,
    name: name.site,
    created: times.created,
    lastModified: times.now,
  } satisfies Site);
}

/** The parts of a site or profile that are stored in another form than they are sent. Refuses those that break a rule across fields. */
export function completedParts(input: ProfileInput, codeHost: string) {
  const code = input.code && completeCode(input.code, codeHost);
  const content = input.content && completeContent(input.content);
  const headers = input.headers === undefined ? [] : headerErrors(input.headers);
  refuseErrors([...(code?.errors ?? []), ...(content?.errors ?? []), ...headers]);
  const hasCredentials = input.secrets !== undefined || input.tokens !== undefined;
  return { ...(hasCredentials ? withoutValues(input) : {}), ...defined({ code: code?.code, content: content?.content }) };
}

/** A part as stored by `completeSite`. Takes the parsed part, and scheme and host of the code host. */
export function completePart(part: string, value: unknown, codeHost: string): unknown {
  // Safe: the value was parsed by the schema of this name.
  if (part === 'code' && value !== undefined) return completeCode(value as CodeSource, codeHost).code;
  if (part === 'content' && value !== undefined) return completeContent(value as ContentSource).content;
  return value;
}

/** Completes a content source: the default suffix of markup, and `contentBusId`. */
function completeContent(content: ContentSource): { content: ContentSource; errors: FieldError[] } {
  const { source } = content;
  const url = new URL(source.url);
  const errors: FieldError[] =
    url.username === '' && url.password === ''
      ? []
      : [{ pointer: '/content/source/url', detail: 'Remove the user name and password from the address; others can read it.' }];
  const contentBusId = createHash('sha256').update(source.url).digest('hex').slice(0, CONTENT_BUS_ID_LENGTH);
  return { content: { ...withSuffix(content), contentBusId }, errors };
}

const CONTENT_BUS_ID_LENGTH = 59;

/** Whether the input is a complete site, and not one of its versions, whose parts were all intended. */
function isWholeSite({ creates, restores }: SiteChange): boolean {
  return creates === true && restores === undefined;
}

function bringsSecret(secrets: readonly StoredSecret[] = []): boolean {
  return secrets.some(({ name }) => name === REPOSITORY_SECRET);
}

/** Refuses query.yaml and sitemap.yaml if they are invalid (docs/contract.md 3.14). They are read on a thread. */
function checkYaml({ context, change: { name }, outside, current, config }: SiteDraft): void {
  const errors = SITE_YAML_NAMES.flatMap((file) => {
    const text = config[file]?.yaml;
    if (text === undefined || text === current?.config[file]?.yaml) return [];
    const problem = outside(`${file}\n${text}`, () => context.siteYamlProblem(name.org, file, text));
    return problem === undefined ? [] : [{ pointer: `/${file}/yaml`, detail: `${file}.yaml: ${problem}` }];
  });
  refuseErrors(errors);
}

function grantsOf({ site }: SiteName, profile: Profile | undefined): Grants | undefined {
  if (profile === undefined) return undefined;
  const { access, groups } = profile;
  return { name: site, ...(access === undefined ? {} : { access }), ...(groups === undefined ? {} : { groups }) };
}

/**
 * Refuses with SECRET_IN_USE the removal of a site that holds the secret of an external repository which other sites of the organization
 * use: it would be removed with its site. Names the sites that the caller may read, and counts the others. Rule: docs/contract.md 3.7.
 */
async function refuseHolderRemoval(reads: Reads, caller: Caller, org: StoredOrg | undefined, site: StoredSite): Promise<void> {
  const { holdsSecret, repository } = siteIndexKeys(site.aggregate);
  if (!holdsSecret || repository === undefined) return;
  const others = (await reads.sitesOfOrgOnRepository(site.org, repository)).filter((other) => other.site !== site.site);
  if (others.length === 0) return;
  const names = others.filter((other) => mayRead(caller, org, other)).map((other) => other.site);
  const shown = names.slice(0, SHOWN_SITES);
  const name = repository.slice(repository.indexOf(':') + 1);
  const sentence = `Site "${site.org}/${site.site}" holds the secret of the external repository ${name}, which is used by ${listed(shown, others.length)}.`;
  throw new Refusal('SECRET_IN_USE', sentence, {
    detail: `${sentence} Remove these first, or set another code source for them.`,
    data: { sites: shown.join(', '), count: String(others.length) },
  });
}

const SHOWN_SITES = 10;

function mayRead(caller: Caller, org: StoredOrg | undefined, { aggregate }: StoredSite): boolean {
  if (isOpen(aggregate)) return true;
  const roles = org === undefined ? undefined : rolesOf(caller, org.config, aggregate);
  return GRANTS['config:read'].some((role) => roles?.has(role));
}

function listed(shown: readonly string[], count: number): string {
  const rest = count - shown.length;
  const sites = rest === 1 ? '1 other site' : `${rest} other sites`;
  if (shown.length === 0) return sites;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${sites}`;
}

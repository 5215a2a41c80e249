import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { at, without, isObject } from '@repoless/core/history/json-values.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { AT_ONCE, mapConcurrently } from '@repoless/core/run/retry.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { failureOf } from '@repoless/core/situation/call.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect } from '../connect.ts';
import { readFileBy } from '../site-files.ts';
import {
  type Document,
  profileOf,
  type Left,
  OrganizationFile,
  type Carried,
  transferResult,
  changedParts,
  furtherParts,
} from './carried-document.ts';
import { carryDocument, type Carrying, type Subject, objectionsTo, sentences } from './carry-document.ts';
import { type DocumentService, openDocuments, type Stored, type Written } from './document-service.ts';
import { failureLine } from '../explain.ts';

/**
 * Writes what `export --from` exported to the service of `--to`, or describes the effect: the organization, its profiles, then its sites,
 * the first of each repository before the others. What already exists is not written again, so an interrupted run can be repeated.
 */
export async function carryOrganization(
  context: CliContext,
  options: Options,
  { isPlan }: { readonly isPlan: boolean },
): Promise<CommandResult> {
  const { value: file } = await readFileBy(context, { ...options, file: options.file ?? '-' }, OrganizationFile);
  refuseUnknown(file, options);
  const connection = await connect(context, { ...options, ...(options.to === undefined ? {} : { service: options.to }) });
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const target = await openDocuments(context, connection, file.organization);
  const carrying: Carrying = { target, isPlan, replaced: options.replaced };
  const { settings, profiles, sites, left } = fitting(file, options, target);
  const reportProgress = progressReporter(context, options, profiles.length + sites.length);
  const atOnce = options.concurrency ?? AT_ONCE;
  const carried: Carried[] = [await carrySettings(carrying, file.organization, settings)];
  const each = async (subjects: readonly Subject[]) => {
    const done = await mapConcurrently(subjects, atOnce, (subject) => reportProgress(carryDocument(carrying, subject)), context.signal);
    carried.push(...subjects.map((subject, index) => done[index] ?? notBegun(subject)));
  };
  await each(profiles);
  const states = new Map(carried.map(({ of, state }) => [of, state]));
  const inOrder = sites.map((site) => inPlan(site, { sites, profiles, states, target, isPlan }));
  const refused = inOrder.flatMap(({ refusal }) => refusal ?? []);
  const open = inOrder.flatMap(({ subject, refusal }) => (refusal === undefined ? [subject] : []));
  const first = firstOfEachCode(open);
  await each(open.filter((site) => first.has(site)));
  await each(open.filter((site) => !first.has(site)));
  carried.push(...refused);
  return transferResult({ organization: file.organization, from: file.from, to: connection.service, carried, left, isPlan });
}

function refuseUnknown(file: OrganizationFile, { sites, replaced }: Options): void {
  const missing = sites.find((name) => !file.sites.some((site) => site.name === name));
  if (missing !== undefined) throw new UsageProblem(messages.usage.noSuchSite(missing));
  const known = [ORGANIZATION, ...file.profiles.map(({ name }) => `profiles/${name}`), ...file.sites.map(({ name }) => name)];
  const unknown = replaced.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageProblem(messages.transfer.noReplaced(unknown));
}

function fitting(file: OrganizationFile, { sites: chosen }: Options, target: DocumentService) {
  const left: Left[] = [];
  const desired = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const fit = (of: string, document: Document): Document => {
    if (!target.isHosted || document['editor'] === undefined) return document;
    left.push({ of, kind: 'no-such-part', name: 'editor' });
    return without(document, 'editor') as Document;
  };
  const subjectOf = (of: string, { name, ...document }: OrganizationFile['sites'][number]): Subject => ({
    of: `${of}/${name}`,
    document: fit(`${of}/${name}`, document),
  });
  const settings = fit(ORGANIZATION, file.settings);
  const sites = desired.map((one) => subjectOf('sites', one));
  const extended = new Set(sites.map(({ document }) => profileOf(document)));
  const isExtended = ({ name }: { readonly name: string }) => chosen.length === 0 || extended.has(name);
  const profiles = file.profiles.filter(isExtended).map((one) => subjectOf('profiles', one));
  const isAbout = ({ of }: Left) => of === ORGANIZATION || [...profiles, ...sites].some((one) => one.of === of);
  return { settings, profiles, sites, left: [...file.notCarried.filter(isAbout), ...left] };
}

interface Before {
  readonly sites: readonly Subject[];
  readonly profiles: readonly Subject[];
  /** The results of the profiles. */
  readonly states: ReadonlyMap<string, Carried['state']>;
  readonly target: DocumentService;
  readonly isPlan: boolean;
}

/** A site in a form that can be tested before its dependencies exist, or why it is not transferred. */
function inPlan(site: Subject, before: Before): { readonly subject: Subject; readonly refusal?: Carried } {
  const { sites, profiles, states, target, isPlan } = before;
  const name = profileOf(site.document) ?? '';
  const profile = profiles.find(({ of }) => of === `profiles/${name}`);
  if (profile !== undefined && ['refused', 'stopped'].includes(states.get(profile.of) ?? ''))
    return {
      subject: site,
      refusal: { ...notBegun(site), state: 'refused', objections: [messages.transfer.profileFirst(name)] },
    };
  if (!isPlan) return { subject: site };
  const twin = target.isHosted ? undefined : sites.slice(0, sites.indexOf(site)).find((one) => isSameRoot(one, site));
  if (twin !== undefined)
    return {
      subject: site,
      refusal: { ...notBegun(site), state: 'refused', objections: [messages.transfer.rootTwice(rootOf(site) ?? '', twin.of)] },
    };
  const isNew = profile !== undefined && states.get(profile.of) === 'created';
  const tested = testedDocument(site, before, isNew ? profile : undefined);
  return { subject: tested === undefined ? site : { ...site, tested } };
}

/** Replaces the profile by its sources, and the repository by that of its first site: both exist only after they are transferred. */
function testedDocument(site: Subject, { sites, target }: Before, profile: Subject | undefined): Document | undefined {
  const { document } = site;
  const holder = sites.slice(0, sites.indexOf(site)).find((one) => codeKey(one) === codeKey(site));
  // Safe: both are only compared and sent.
  const isFurther = holder !== undefined && externalSource(document['code'] as CodeSource | undefined) !== undefined;
  if (profile === undefined && !isFurther) return undefined;
  const sources = target.isHosted || profile === undefined ? {} : { code: profile.document['code'], content: profile.document['content'] };
  return {
    ...sources,
    ...(profile === undefined ? document : (without(document, 'extends') as Document)),
    ...(isFurther ? { code: holder.document['code'] } : {}),
  };
}

function firstOfEachCode(sites: readonly Subject[]): ReadonlySet<Subject> {
  const first = new Map<string, Subject>();
  for (const site of sites) if (!first.has(codeKey(site))) first.set(codeKey(site), site);
  return new Set(first.values());
}

function codeKey({ document: { code } }: Subject): string {
  return JSON.stringify([at(code, 'owner'), at(code, 'repo'), at(code, 'source', 'url')]).toLowerCase();
}

function isSameRoot(one: Subject, other: Subject): boolean {
  const root = rootOf(one);
  return root !== undefined && root === rootOf(other);
}

/** The content root of a site on its author; undefined if unknown. */
function rootOf({ document }: Subject): string | undefined {
  const mappings: unknown = at(document, 'public', 'paths', 'mappings');
  const url = at(document, 'content', 'source', 'url');
  const texts = Array.isArray(mappings) ? mappings.filter((one) => typeof one === 'string') : [];
  const author = typeof url === 'string' && URL.canParse(url) ? parseDeliveryAddress(url)?.author : undefined;
  const root = contentRoot(texts);
  return author === undefined || root === undefined ? undefined : `${author}${root}`;
}

function notBegun({ of }: Subject): Carried {
  return { of, state: 'stopped', changes: [], objections: [], warnings: [], stays: [] };
}

/** Writes to standard error for every tenth that is done. */
function progressReporter({ err }: CliContext, { format }: Options, total: number) {
  let done = 0;
  return async (work: Promise<Carried>): Promise<Carried> => {
    const carried = await work;
    done += 1;
    if (format !== 'json' && total > 20 && done % Math.ceil(total / 10) === 0) err(`${messages.transfer.progress(done, total)}\n`);
    return carried;
  };
}

/** The name of the organization itself for `--replace`. */
const ORGANIZATION = 'organization';

interface User {
  readonly id?: string;
  readonly email: string;
  readonly roles: readonly string[];
}

/**
 * Writes users, groups and the other settings of an organization to the target. Each group and user is a separate value: others stay.
 * Throws if the organization does not exist: no service lets a client create it for someone else.
 */
async function carrySettings({ target, isPlan, replaced }: Carrying, organization: string, settings: Document): Promise<Carried> {
  const stored = await target.read('');
  if (stored.state === 'missing') throw new CommandFailure(messages.transfer.organizationMissing(organization, target.isHosted));
  if (stored.state === 'failed') throw new CommandFailure(failureLine(failureOf(stored)));
  const current = stored.value;
  const differs = changesExisting(current.document, settings);
  const isReplaced = replaced.includes(ORGANIZATION);
  const desired = mergedSettings(current.document, settings);
  // Different values stay and missing ones are added: sites may grant access to these groups.
  const next = differs && !isReplaced ? addedSettings(current.document, desired) : desired;
  const about = { of: ORGANIZATION, warnings: [], stays: furtherParts(current.document, settings) };
  const { added, changed } = changedParts(current.document, next);
  const isSame = added.length + changed.length === 0;
  const objections = isPlan || isSame ? [] : await written(target, current, next);
  const changes = sentences(current.document, desired);
  if (objections.length > 0) return { ...about, state: 'refused', changes, objections };
  if (differs && !isReplaced) return { ...about, state: 'differs', changes, objections: [messages.transfer.organizationDiffers] };
  if (isSame) return { ...about, state: 'unchanged', changes: [], objections };
  return { ...about, state: differs ? 'replaced' : 'completed', changes, objections };
}

/** Merges groups by name and users by e-mail address; everything else part by part. */
function mergedSettings(current: Document, settings: Document): Document {
  const users = usersOf(current);
  const desired = usersOf(settings);
  const desiredUser = (user: User) => desired.find((one) => isNamed(one, user));
  const groups = { ...groupsOf(current), ...groupsOf(settings) };
  return {
    ...current,
    ...settings,
    users: [
      ...users.map((user) => ({ ...user, roles: desiredUser(user)?.roles ?? user.roles })),
      ...desired.filter((user) => !users.some((one) => isNamed(one, user))),
    ],
    ...(Object.keys(groups).length === 0 ? {} : { groups }),
  };
}

/** The desired values that replace nothing. */
function addedSettings(current: Document, desired: Document): Document {
  const users = usersOf(current);
  return {
    ...desired,
    ...current,
    users: [...users, ...usersOf(desired).filter((user) => !users.some((one) => isNamed(one, user)))],
    ...(desired['groups'] === undefined ? {} : { groups: { ...groupsOf(desired), ...groupsOf(current) } }),
  };
}

/** Whether an existing value of the target would change. */
function changesExisting(current: Document, settings: Document): boolean {
  const plain = (document: Document) => without(document, 'users', 'groups') as Document;
  const groups = groupsOf(current);
  const known = usersOf(current);
  return (
    changedParts(plain(current), plain(settings)).changed.length > 0 ||
    Object.entries(groupsOf(settings)).some(([name, group]) => groups[name] !== undefined && !sameValue(groups[name], group)) ||
    usersOf(settings).some((user) => known.some((one) => isNamed(one, user) && !hasSameRoles(one, user)))
  );
}

/** Writes groups first, because they may be users. Takes the organization before and after; returns the target's objections. */
async function written(target: DocumentService, current: Stored, next: Document): Promise<string[]> {
  const objections: string[] = [];
  for (const request of requests(current, next)) {
    const answer = await target.written(request);
    if (answer.state === 'failed') objections.push(...objectionsTo(answer.failure));
  }
  return objections;
}

function requests({ document: current, etag }: Stored, next: Document): Written[] {
  const [groups, users] = [groupsOf(current), usersOf(current)];
  const fresh = usersOf(next).filter((user) => !users.some((one) => isNamed(one, user)));
  const changed = usersOf(next).filter((user) => users.some((one) => isNamed(one, user) && !hasSameRoles(one, user)));
  const own = without(next, 'users', 'groups', 'access') as Document;
  const { added, changed: others } = changedParts(without(current, 'users', 'groups', 'access') as Document, own);
  return [
    // First, because its precondition refers to the organization as it was read.
    ...(added.length + others.length === 0 ? [] : [{ method: 'PUT', path: '.json', body: without(next, 'users'), etag } satisfies Written]),
    ...Object.entries(groupsOf(next)).flatMap(([name, group]): Written[] =>
      sameValue(groups[name], group) || added.length + others.length > 0
        ? []
        : [{ method: 'POST', path: `/groups/${encodeURIComponent(name)}.json`, body: group }],
    ),
    ...(fresh.length === 0 ? [] : [{ method: 'POST', path: '/users.json', body: fresh } satisfies Written]),
    ...changed.map((user): Written => ({
      method: 'POST',
      path: `/users/${encodeURIComponent(user.id ?? '')}.json`,
      body: without(user, 'id'),
    })),
    ...(sameValue(at(current, 'access', 'admin'), at(next, 'access', 'admin')) || added.length + others.length > 0
      ? []
      : [{ method: 'POST', path: '/access/admin.json', body: at(next, 'access', 'admin') } satisfies Written]),
  ];
}

function groupsOf(document: Document): Document {
  return isObject(document['groups']) ? document['groups'] : {};
}

function usersOf(document: Document): readonly User[] {
  const users: unknown = document['users'];
  // Safe: a service returned it; if it comes from a file, the target checks it.
  return Array.isArray(users) ? (users as User[]) : [];
}

function isNamed(one: User, other: User): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}

function hasSameRoles(one: User, other: User): boolean {
  return sameValue(one.roles.toSorted(), other.roles.toSorted());
}

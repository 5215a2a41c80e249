import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { at, without } from '@repoless/core/history/json-place.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { AT_ONCE, eachBounded } from '@repoless/core/run/retry.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect } from '../connect.ts';
import { readFileBy } from '../site-files.ts';
import { type Document, profileOf, type Left, OrganizationFile } from './carried-document.ts';
import { carryDocument, type Carrying, type Subject } from './carry-document.ts';
import { carrySettings, ORGANIZATION } from './carry-settings.ts';
import { type DocumentService, openDocuments } from './document-service.ts';
import { type Carried, transferResult } from './report.ts';

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
  const tell = teller(context, options, profiles.length + sites.length);
  const atOnce = options.concurrency ?? AT_ONCE;
  const carried: Carried[] = [await carrySettings(carrying, file.organization, settings)];
  const each = async (subjects: readonly Subject[]) => {
    const done = await eachBounded(subjects, atOnce, (subject) => tell(carryDocument(carrying, subject)), context.signal);
    carried.push(...subjects.map((subject, index) => done[index] ?? notBegun(subject)));
  };
  await each(profiles);
  const states = new Map(carried.map(({ of, state }) => [of, state]));
  const inOrder = sites.map((site) => inPlan(site, { sites, profiles, states, target, isPlan }));
  const held = inOrder.flatMap(({ refusal }) => refusal ?? []);
  const open = inOrder.flatMap(({ subject, refusal }) => (refusal === undefined ? [subject] : []));
  const first = firstOfEachCode(open);
  await each(open.filter((site) => first.has(site)));
  await each(open.filter((site) => !first.has(site)));
  carried.push(...held);
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
  const wanted = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const fit = (of: string, document: Document): Document => {
    if (!target.isHosted || document['editor'] === undefined) return document;
    left.push({ of, kind: 'no-such-part', name: 'editor' });
    return without(document, 'editor') as Document;
  };
  const subjectOf = (place: string, { name, ...document }: OrganizationFile['sites'][number]): Subject => ({
    of: `${place}/${name}`,
    document: fit(`${place}/${name}`, document),
  });
  const settings = fit(ORGANIZATION, file.settings);
  const sites = wanted.map((one) => subjectOf('sites', one));
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
function teller({ err }: CliContext, { format }: Options, total: number) {
  let done = 0;
  return async (work: Promise<Carried>): Promise<Carried> => {
    const carried = await work;
    done += 1;
    if (format !== 'json' && total > 20 && done % Math.ceil(total / 10) === 0) err(`${messages.transfer.progress(done, total)}\n`);
    return carried;
  };
}

import { parseDeliveryAddress, printDeliveryAddress } from '#contract/addresses.ts';
import { externalSource } from '#contract/code-source.ts';
import { readLegacyContent, readLegacyPaths } from '#legacy/legacy-project.ts';
import type { LegacyContent, LegacyProblem } from '#legacy/legacy-project.ts';
import { SiteInput } from '#contract/site.ts';
import type { Site } from '#contract/site.ts';
import type { ChangeRequest, StoredDocument } from '../changes/change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { askingPerson } from '../orgs/asking-person.ts';
import { authorize, requireUser } from '../roles/permit.ts';
import type { Outcome } from '../operation.ts';
import { aggregateSite } from './aggregate-site.ts';
import { siteRequest, changeSite } from './change-site.ts';
import { completeSite } from './complete-site.ts';
import { checkAggregate, profileOf } from './check-site.ts';
import { shownSite } from './find-site.ts';
import type { SiteName } from './check-site.ts';

interface Migration {
  readonly owner?: string | undefined;
  readonly repo?: string | undefined;
}

type Migrated = (present: Pick<StoredDocument, 'config'> | undefined) => SiteInput;

/**
 * What a site would be; nothing is stored. It is what is stored of people and credentials too, hence for those who may see that
 * (docs/contract.md 4.3). Refuses as `permit` does, and as `readMigration`.
 */
export async function proposeMigration(context: Context, { org, site }: SiteName, migration: Migration): Promise<Site> {
  const permitted = await authorize(context, 'people:read', { org, site });
  const name = { org, site };
  const migrated = await readMigration(context, name, migration);
  const present = permitted.site === undefined ? undefined : await shownSite({ ...context, permitted }, name);
  const now = context.now().toISOString();
  const config = completeSite(name, migrated(present), { created: present?.config.created ?? now, now }, context.settings);
  checkAggregate(name, aggregateSite(config, await profileOf(context.store.reads, org, config)));
  return config;
}

/** Takes a site from its repository and stores it: what the files say lies over what is stored. */
export async function storeMigration(
  context: Context,
  input: ChangeRequest & { params: SiteName; query: Migration; body?: unknown },
): Promise<Outcome> {
  if (input.body !== undefined) {
    const sentence = 'A site is migrated without a body. Omit either the body or migrate.';
    throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
  }
  const { name, ...wanted } = siteRequest(input);
  const migrated = await readMigration(context, name, input.query);
  return changeSite(context, { name, ...wanted, permission: 'config:write', action: 'migrate-site', creates: true, next: migrated });
}

/**
 * Reads fstab.yaml and paths.json on `main` of a site's repository: the one that is named, that of the stored site, or the
 * one of the site's own name. Refuses with MIGRATION_NOT_POSSIBLE, which says what is missing or wrong, and where, and with
 * RATE_LIMITED who has the code host asked too often.
 */
async function readMigration(context: Context, name: SiteName, migration: Migration): Promise<Migrated> {
  const stored = (await context.store.reads.site(name.org, name.site))?.aggregate.code;
  const named = migration.owner !== undefined || migration.repo !== undefined;
  const owner = migration.owner ?? stored?.owner ?? name.org;
  const repo = migration.repo ?? stored?.repo ?? name.site;
  if (!named && externalSource(stored) !== undefined) {
    throw notPossible(
      `The code of the site is in an external repository, which cannot be read here. Specify a repository of the code host with ?owner and ?repo.`,
    );
  }
  const place = `${context.settings.codeHost}/${owner}/${repo}`;
  const person = askingPerson(context, requireUser(context.caller));
  const file = (path: string) => context.codeHost.readFile(owner, repo, path, person);
  const [fstab, paths] = await Promise.all([file(FSTAB), file(PATHS)]);
  if (fstab === undefined) {
    const choose = named ? '' : ' Name the repository by ?owner and ?repo, where it is another.';
    throw notPossible(`There is no ${FSTAB} on main of ${place}, or the repository does not exist or is private.${choose}`);
  }
  const content = readLegacyContent(fstab);
  if ('problem' in content) throw wrong(place, FSTAB, content.problem);
  const parts = parsed({
    ...(named || stored === undefined ? { code: { owner, repo } } : {}),
    content: { source: sourceOf(content, name) },
    ...publicOf(place, paths, content),
    ...(Object.keys(content.folders).length === 0 ? {} : { folders: content.folders }),
  });
  return (present) => ({
    ...present?.config,
    ...parts,
    ...(parts.public === undefined ? {} : { public: { ...present?.config.public, ...parts.public } }),
  });
}

/** A delivery address names the repository before, and the site now. */
function sourceOf({ source }: LegacyContent, { org, site }: SiteName): LegacyContent['source'] {
  const delivery = parseDeliveryAddress(source.url);
  return delivery === undefined ? source : { ...source, url: printDeliveryAddress({ ...delivery, org, site }) };
}

function publicOf(place: string, text: string | undefined, { source }: LegacyContent): Pick<SiteInput, 'public'> {
  if (text === undefined) {
    if (source.type !== 'markup') return {};
    throw notPossible(
      `There is no ${PATHS} on main of ${place}, so the content of the site is unknown. Add the file, or send the site configuration.`,
    );
  }
  const read = readLegacyPaths(text);
  if ('problem' in read) throw wrong(place, PATHS, read.problem);
  return { public: { paths: { mappings: read.mappings, includes: read.includes } } };
}

/** What the files hold is checked as if a client had sent it. */
function parsed(parts: unknown): SiteInput {
  const result = SiteInput.safeParse(parts);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw notPossible(`${FSTAB} and ${PATHS} are not valid at ${field}: ${issue?.message ?? 'unknown'}`);
}

function wrong(place: string, path: string, { line, detail }: LegacyProblem): Refusal {
  const where = line === undefined ? '' : `, line ${line}`;
  return notPossible(`${path} of ${place}${where}: ${detail}`, line === undefined ? { file: path } : { file: path, line: String(line) });
}

function notPossible(sentence: string, data?: Readonly<Record<string, string>>): Refusal {
  return new Refusal('MIGRATION_NOT_POSSIBLE', sentence, data === undefined ? {} : { data });
}

const FSTAB = 'fstab.yaml';
const PATHS = 'paths.json';

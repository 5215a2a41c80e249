import { changedDelivery } from '@repoless/contract/addresses.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import {
  FURTHER_FILE_NAMES,
  FURTHER_FILES,
  type FurtherFile,
  type FurtherFileName,
  type LegacyNote,
  type LegacyProblem,
} from '@repoless/core/legacy/project-file.ts';
import { FSTAB, type LegacyContent, readFstab } from '@repoless/core/legacy/read-fstab.ts';
import { type LegacyPaths, PATHS, readPaths } from '@repoless/core/legacy/read-paths.ts';
import { authorize } from '../access/permit.ts';
import type { ChangeRequest, StoredDocument } from '../changes/change.ts';
import { requestOf } from '../changes/change-document.ts';
import type { Context, Outcome } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import { codeHostCaller } from '../orgs/claim-org.ts';
import { aggregateSite } from '@repoless/contract/aggregate-site.ts';
import { checkAggregate, pathWarnings, profileOf, type SiteName } from './check-site.ts';
import { shownSite } from './find-site.ts';
import { changeSite, completeSite, SITES } from './site-document.ts';
import { requireUser } from '../sessions/identity.ts';

interface Migration {
  readonly owner?: string | undefined;
  readonly repo?: string | undefined;
}

/** The site derived from the files; `sentences`: what is missing in it, and what was changed. */
type Migrated = (current: Pick<StoredDocument, 'config'> | undefined) => {
  readonly site: SiteInput;
  readonly sentences: readonly string[];
};

/**
 * The resulting site; nothing is stored. It contains stored people and credentials too, hence only for callers who may see them
 * (docs/contract.md 4.3). Refuses as `permit` does, and as `readMigration`.
 */
export async function proposeMigration(context: Context, { org, site }: SiteName, migration: Migration): Promise<Outcome> {
  const permitted = await authorize(context, 'people:read', { org, site });
  const name = { org, site };
  const migrated = await readMigration(context, name, migration);
  const current = permitted.site === undefined ? undefined : await shownSite({ ...context, permitted }, name);
  const now = context.now().toISOString();
  const proposed = migrated(current);
  const config = completeSite(name, proposed.site, { created: current?.config.created ?? now, now }, context.settings);
  checkAggregate(name, aggregateSite(config, await profileOf(context.store.reads, org, config)));
  const sentences = [...pathWarnings(undefined, config), ...proposed.sentences];
  return withSentences({ result: 'done', body: config, etag: etagOf(config) }, sentences);
}

/** Migrates a site from its repository and stores it: the content of the files overrides what is stored. */
export async function storeMigration(
  context: Context,
  input: ChangeRequest & { params: SiteName; query: Migration; body?: unknown },
): Promise<Outcome> {
  if (input.body !== undefined) {
    throw bodyInvalid('', 'A site is migrated without a body. Omit either the body or migrate.');
  }
  const { name, ...request } = requestOf(SITES, input);
  const migrated = await readMigration(context, name, input.query);
  let sentences: readonly string[] = [];
  const outcome = await changeSite(context, {
    name,
    ...request,
    permission: 'config:write',
    action: 'migrate-site',
    creates: true,
    next(current) {
      const migration = migrated(current);
      sentences = migration.sentences;
      return migration.site;
    },
  });
  return withSentences(outcome, sentences);
}

/**
 * Reads the files of a project on `main` of a site's repository: the named one, that of the stored site, or the one with the site's own
 * name. Refuses with MIGRATION_NOT_POSSIBLE, which says what is missing or wrong, and where, and with RATE_LIMITED after too many requests
 * to the code host.
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
  const repository = `${context.settings.codeHost}/${owner}/${repo}`;
  const person = codeHostCaller(context, requireUser(context.caller));
  const file = (path: string) => context.codeHost.readFile(owner, repo, path, person);
  const [fstab, paths, ...further] = await Promise.all([FSTAB, PATHS, ...FURTHER_FILE_NAMES].map(file));
  if (fstab === undefined) {
    const choose = named ? '' : ' If it is another repository, name it by ?owner and ?repo.';
    throw notPossible(`There is no ${FSTAB} on main of ${repository}, or the repository does not exist or is private.${choose}`);
  }
  const content = readFstab(fstab);
  if ('problem' in content) throw wrong(repository, FSTAB, content.problem);
  const mapped = pathsOf(repository, paths);
  const parts = parsed({
    ...(named || stored === undefined ? { code: { owner, repo } } : {}),
    content: contentOf(content, name),
    ...(Object.keys(mapped.paths).length === 0 ? {} : { public: { paths: mapped.paths } }),
    ...(Object.keys(content.folders).length === 0 ? {} : { folders: content.folders }),
  });
  const others = await Promise.all(FURTHER_FILE_NAMES.map((path, index) => furtherFile(context, name, path, further[index])));
  return (current) => laidOver(current?.config, parts, [...content.notes, ...mapped.notes], others);
}

/**
 * Merges the content of the files over what is stored (docs/contract.md 3.1); a part in the configuration itself takes precedence over a
 * file that it replaces.
 */
function laidOver(
  current: SiteInput | undefined,
  parts: SiteInput,
  notes: readonly LegacyNote[],
  others: readonly (FurtherFile & { readonly path: string })[],
): ReturnType<Migrated> {
  const taken = others.map(({ path: file, ...read }): FurtherFile => {
    const existing = Object.keys(read.parts).find((part) => current !== undefined && part in current);
    if (existing === undefined) return read;
    return { parts: {}, notes: [{ file, detail: `It was left out: the site has "${existing}" already.`, isLeft: true }] };
  });
  const { contentBusId: _id, ...content } = current?.content ?? {};
  const paths = parts.public?.paths ?? {};
  const site = {
    ...current,
    ...taken.reduce((all, one) => ({ ...all, ...one.parts }), {}),
    ...parts,
    ...(parts.content === undefined ? {} : { content: { ...content, ...parts.content } }),
    ...(Object.keys(paths).length === 0 ? {} : { public: { ...current?.public, paths: { ...current?.public?.paths, ...paths } } }),
  };
  return { site, sentences: [...notes, ...taken.flatMap((one) => one.notes)].map(sentenceOf) };
}

/** A file that the service would refuse does not exclude the others. */
async function furtherFile({ siteYamlProblem }: Context, { org }: SiteName, path: FurtherFileName, text: string | undefined) {
  if (text === undefined) return { path, parts: {}, notes: [] };
  const read: FurtherFile = FURTHER_FILES[path].read(text, path);
  for (const part of SITE_YAML_NAMES) {
    const yaml = read.parts[part]?.yaml;
    const problem = yaml === undefined ? undefined : await siteYamlProblem(org, part, yaml);
    const note: LegacyNote = { file: path, detail: `It was left out. ${problem}`, isLeft: true };
    if (problem !== undefined) return { path, parts: {}, notes: [note] };
  }
  return { path, ...read };
}

/** A delivery address named the repository before, and names the site now. */
function contentOf({ source, overlay }: LegacyContent, name: SiteName): SiteInput['content'] {
  return {
    source: { ...source, url: ownAddress(source.url, name) },
    ...(overlay === undefined ? {} : { overlay: { ...overlay, url: ownAddress(overlay.url, name) } }),
  };
}

function ownAddress(url: string, { org, site }: SiteName): string {
  return changedDelivery(url, { org, site }) ?? url;
}

function pathsOf(repository: string, text: string | undefined): Pick<LegacyPaths, 'paths' | 'notes'> {
  if (text === undefined) return { paths: {}, notes: [{ file: PATHS, detail: 'There is none, so no mappings were taken.' }] };
  const read = readPaths(text);
  if ('problem' in read) throw wrong(repository, PATHS, read.problem);
  return read;
}

/** The content of the files is validated like a client's input. */
function parsed(parts: unknown): SiteInput {
  const result = SiteInput.safeParse(parts);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw notPossible(`${FSTAB} and ${PATHS} are not valid at ${field}: ${issue?.message ?? 'unknown'}`);
}

function wrong(repository: string, path: string, { line, detail }: LegacyProblem): Refusal {
  const where = line === undefined ? '' : `, line ${line}`;
  return notPossible(
    `${path} of ${repository}${where}: ${detail}`,
    line === undefined ? { file: path } : { file: path, line: String(line) },
  );
}

function sentenceOf({ file, line, detail }: LegacyNote): string {
  return `${file}${line === undefined ? '' : `, line ${line}`}: ${detail}`.replaceAll(/[^\x20-\x7e]/g, '?');
}

/** A header can contain only some of them; a dry run returns all. */
function withSentences(outcome: Outcome, sentences: readonly string[]): Outcome {
  if (sentences.length === 0) return outcome;
  const { prediction, headers } = outcome;
  if (prediction !== undefined)
    return { ...outcome, prediction: { ...prediction, warnings: [...(prediction.warnings ?? []), ...sentences] } };
  const warnings = headers?.['x-warning'] ?? [];
  const all = [...(typeof warnings === 'string' ? [warnings] : warnings), ...sentences];
  let length = 0;
  const shown = all.filter((sentence) => (length += sentence.length) <= WARNING_LENGTH);
  const more = all.length === shown.length ? [] : [`And ${all.length - shown.length} more: PUT with ?migrate=true&dryRun=true lists them.`];
  return { ...outcome, headers: { ...headers, 'x-warning': [...shown, ...more].join(' ') } };
}

function notPossible(sentence: string, data?: Readonly<Record<string, string>>): Refusal {
  return new Refusal('MIGRATION_NOT_POSSIBLE', sentence, data === undefined ? {} : { data });
}

/** Characters of messages in a header: clients and proxies accept a few thousand. */
const WARNING_LENGTH = 4000;

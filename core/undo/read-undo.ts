import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import { Site } from '@repoless/contract/site.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { StoredDocument } from '../history/history-port.ts';
import { undoChange } from '../history/undo-change.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import type { Plan, Undoes } from '../plan/plan.ts';
import { dependentsOf } from '../sites/organization-sites.ts';
import { createWriteAccess, firstObstacle, obstacleFailure } from '../sites/write-access.ts';
import { hasNoOrganization, type Known } from '../situation/call.ts';
import { edgeValues } from '../situation/edge-configuration.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { isOfSetup, isOwnPage, versionsSince } from '../situation/record.ts';
import { UNDO_NAME } from '../situation/site-calls.ts';
import type { UndoFacts, Previous, Situation, UndoEffect } from '../situation/situation.ts';
import { planUndo } from './plan-undo.ts';

/**
 * Adds what an undo must know: its effect on the site and on other people's later changes; if it removes the site, which sites depend on it
 * and what is deleted with it; and the service's answer to a dry run of its write. Changes nothing.
 */
export async function readUndo(ports: SetupPorts, situation: Situation): Promise<Situation> {
  const { previous } = situation.settings;
  if (previous === undefined) return situation;
  const { site } = situation;
  const isNothingLeft = site.state === 'missing' && previous.siteVersion === null;
  const current = site.state === 'known' ? site.value.own : undefined;
  const mayRestore = site.state !== 'failed' && !isNothingLeft;
  const [createdPages, undoFacts] = await Promise.all([
    Promise.all((situation.createdPages ?? []).map(async ({ path }) => ({ path, page: await ports.authoring.createdPage(path) }))),
    mayRestore ? undoFactsOf(ports, previous, current) : undefined,
  ]);
  const whole = { ...situation, ...(createdPages.length === 0 ? {} : { createdPages }), ...(undoFacts === undefined ? {} : { undoFacts }) };
  const call = planUndo(whole).steps.find(({ id }) => id === 'register-site')?.call;
  return call === undefined ? whole : { ...whole, undoDryRun: { call, answer: await ports.service.dryRun(call) } };
}

/** The first step of an undo whose write to the authoring system would fail, and why. */
export async function undoObstacle(ports: SetupPorts, { profile }: Situation, { steps }: Plan) {
  const access = createWriteAccess(ports, profile.state === 'known' ? profile.value.email : '');
  const found = await firstObstacle(access, steps, (work) => work());
  return found === undefined ? undefined : { step: found.step, failure: obstacleFailure(found.obstacle) };
}

async function undoFactsOf(ports: SetupPorts, previous: Previous, current: Site | undefined): Promise<UndoFacts> {
  const back = await undoEffect(ports, previous, current);
  if (back.state === 'failed') return back;
  const known = back.state === 'known' ? { back: back.value } : {};
  const removes = back.state === 'known' ? back.value.kind === 'remove' : previous.siteVersion === null;
  if (!removes) return { state: 'known', value: { secrets: [], apiKeys: [], ...known } };
  const { service } = ports;
  const { org, site } = previous;
  const [sites, secrets, apiKeys] = await Promise.all([
    service.allSites(org),
    service.removal.secrets(org, site),
    service.removal.apiKeys(org, site),
  ]);
  // Callers with a role only on this site may not list the others.
  const isUnlisted = hasNoOrganization(sites);
  if (sites.state === 'failed' && !isUnlisted) return sites;
  for (const read of [secrets, apiKeys]) if (read.state === 'failed') return read;
  const listed = sites.state === 'known' ? sites.value : [];
  const dependents = dependentsOf(listed)(site, new Set(listed.map(({ name }) => name)));
  return {
    state: 'known',
    value: {
      ...(dependents === undefined ? {} : { dependents }),
      ...(isUnlisted ? { isUnlisted } : {}),
      secrets: secrets.state === 'known' ? secrets.value : [],
      apiKeys: apiKeys.state === 'known' ? apiKeys.value : [],
      ...known,
    },
  };
}

/**
 * The effect on the site: only what setups stored is reverted, unless someone changed the same values later. Missing: the previous version
 * is not stored.
 */
async function undoEffect(ports: SetupPorts, previous: Previous, current: Site | undefined): Promise<Known<UndoEffect>> {
  const { org, site, siteVersion } = previous;
  const list = await ports.service.versions(org, site);
  if (list.state !== 'known') return list;
  const all = list.value.versions.toSorted((one, other) => one.version - other.version);
  // A site that someone removed is restored as it was.
  const exact = current === undefined ? undefined : await versionsSince(ports, previous, all);
  const since = exact ?? all.filter(({ version }) => version > (siteVersion ?? 0));
  // What an interrupted undo reverted no longer counts as setup.
  const open = since.slice(since.findLastIndex(({ name, restoredFrom }) => name === UNDO_NAME || restoredFrom === siteVersion) + 1);
  const first = open.findIndex(isOfSetup);
  const later = open.slice(Math.max(first, 0)).filter((entry) => !isOfSetup(entry));
  if (first < 0 && exact !== undefined) return { state: 'known', value: { kind: 'leave', later } };
  const own = since.filter((entry) => isOfSetup(entry) && open.includes(entry));
  const before = current === undefined || own[0] === undefined ? undefined : since[since.indexOf(own[0]) - 1];
  const version = before ?? all.find((entry) => entry.version === siteVersion);
  if (before === undefined && siteVersion === null) return { state: 'known', value: { kind: 'remove', later } };
  if (version === undefined) return { state: 'missing' };
  const read = async (entry: VersionEntry) => ports.service.version(org, site, entry.version);
  const target = await read(version);
  if (target.state !== 'known') return target;
  if (current === undefined) return { state: 'known', value: { kind: 'restore', version, document: target.value, later: [] } };
  const document = later.length === 0 || exact === undefined ? undefined : await withoutOwn([version, ...exact], own, current, read);
  if (document === undefined) return { state: 'known', value: { kind: 'restore', version, document: target.value, later } };
  return { state: 'known', value: { kind: 'merge', version, document, later } };
}

/** The site without the changes of these versions; undefined if later versions changed the same, or one of them cannot be read. */
async function withoutOwn(
  all: readonly VersionEntry[],
  own: readonly VersionEntry[],
  current: Site,
  read: (entry: VersionEntry) => Promise<Known<Site>>,
): Promise<Site | undefined> {
  let document: StoredDocument = current;
  for (const entry of own.toReversed()) {
    const from = all[all.indexOf(entry) - 1];
    if (from === undefined) return undefined;
    const [before, after] = await Promise.all([read(from), read(entry)]);
    if (before.state !== 'known' || after.state !== 'known') return undefined;
    const undone = undoChange(before.value, after.value, document);
    if (undone.state === 'overlaps') return undefined;
    if (undone.state === 'clean') document = undone.document;
  }
  return Site.safeParse(document).data;
}

/**
 * Whether everything that an undo shows is as its record says, whoever restored it: the Edge Delivery configuration, the site, and the
 * pages that setup created. What cannot be read doesn't count.
 */
export async function isUndone({ service, authoring }: SetupPorts, { configuration, record }: Undoes): Promise<boolean> {
  const { org, site, siteVersion, configurationPages = [] } = record;
  const [edge, stored, version, list, ...pages] = await Promise.all([
    authoring.edgeConfiguration(configuration),
    service.configuration(org, site),
    siteVersion === null ? ({ state: 'missing' } as const) : service.version(org, site, siteVersion),
    service.versions(org, site),
    ...configurationPages.map(async (path) => authoring.createdPage(path)),
  ]);
  const since = list.state === 'known' ? list.value.versions.filter((entry) => entry.version > (siteVersion ?? 0)) : [];
  // An undo that preserved other people's changes, not followed by a setup.
  const last = since.toSorted((one, other) => other.version - one.version).find((entry) => isOfSetup(entry) || entry.name === UNDO_NAME);
  const isBack = last?.name === UNDO_NAME || isSiteBack(stored, version, siteVersion);
  const isLeft = pages.some((page) => page.state !== 'missing' && isOwnPage({ page }, record));
  return isConfigurationBack(edge, record) && isBack && !isLeft;
}

function isConfigurationBack(edge: Known<EdgeConfiguration>, record: Previous): boolean {
  if (edge.state !== 'known') return edge.state === 'missing' && record.configuration?.created !== undefined;
  const values = edgeValues(edge.value);
  return (['projectType', 'organization', 'siteName'] as const).every((field) => (values[field] || null) === record[field]);
}

function isSiteBack(stored: Known<{ config: Site }>, version: Known<Site>, before: number | null): boolean {
  if (before === null) return stored.state === 'missing';
  if (stored.state !== 'known' || version.state !== 'known') return false;
  return sameValue(withoutServerFields(stored.value.config), withoutServerFields(version.value));
}

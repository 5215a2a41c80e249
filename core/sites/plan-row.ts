import { defined, sameValue } from '@repoless/contract/json.ts';
import { contentRoot, contentRoots } from '@repoless/contract/mappings.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { IntendedPaths } from '../mappings/read-simulation.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { changeState } from '../plan/plan.ts';
import { firstFailure, type Known } from '../situation/call.ts';
import {
  changeEdge,
  createEdge,
  createPage,
  edgeProperties,
  edgeValues,
  selectConfiguration,
  restoreEdge,
} from '../situation/edge-configuration.ts';
import type { ContentPage } from '../situation/ports.ts';
import { isSpreadsheet } from '../situation/record.ts';
import { putSite, VERSION_NAMES } from '../situation/site-calls.ts';
import type { Previous, SiteConfigurations } from '../situation/situation.ts';
import { accountMismatch } from './environments.ts';
import { authorOf, rootOnAuthor } from './organization-sites.ts';
import { problemOf, rowProblem } from './row-problems.ts';
import { authorOfRow, rowBody, rowDifference, rowSite, targetOfRow } from './row-site.ts';
import type { Batch, PlannedStep, RowProblem, SiteRow } from './rows.ts';

export interface RowSituation {
  readonly site: Known<SiteConfigurations & { readonly etag: string }>;
  /** Absent if only the service is written. */
  readonly authoring?: {
    readonly page: Known<ContentPage>;
    readonly configurationPage: Known<{ readonly path: string; readonly resourceType?: string }> | undefined;
    readonly edge: Known<EdgeConfiguration> | undefined;
    readonly baseEdge: Known<EdgeConfiguration> | undefined;
  };
  /** The site's current version, if it must be recorded with the settings that are about to change. */
  readonly version?: number;
  readonly readAt: string;
  readonly readBy: string;
}

export type RowPlan =
  | { readonly kind: 'blocked'; readonly problem: RowProblem }
  | {
      readonly kind: 'ready';
      /** The result: nothing to do, a created site, or a changed site or settings. */
      readonly outcome: 'created' | 'changed' | 'unchanged';
      /** In the safe order: the service first, then verification, the authoring system's switch last. */
      readonly steps: readonly PlannedStep[];
      readonly replaced?: string;
      /** Set if the row changes the path mappings of an existing site. */
      readonly paths?: IntendedPaths;
    };

/** The steps of one row, each with its state and its exact call. Pure: derived from what was read. */
export function planRow(batch: Batch, row: SiteRow, situation: RowSituation): RowPlan {
  const problem = problemBefore(batch, row, situation);
  if (problem !== undefined) return { kind: 'blocked', problem };
  const steps = row.move === undefined ? setupSteps(batch, row, situation) : moveSteps(batch, row, situation);
  const pending = steps.some(({ state }) => state.kind !== 'done' && state.kind !== 'verify');
  const outcome = situation.site.state === 'known' ? (pending ? 'changed' : 'unchanged') : 'created';
  const current = situation.site.state === 'known' ? situation.site.value.config : undefined;
  const replaced = current === undefined ? undefined : otherContent(batch, row, current);
  const paths = replaced === undefined ? changedPaths(batch, row, current) : undefined;
  return {
    kind: 'ready',
    outcome,
    steps,
    ...defined({ replaced, paths }),
  };
}

function setupSteps(batch: Batch, row: SiteRow, situation: RowSituation): PlannedStep[] {
  // The service may refuse, so it is written first: then a refusal leaves nothing behind.
  const before = [registerStep(batch, row, situation), ...configurationPageStep(batch, row, situation)];
  const after = [...cloudConfigurationStep(batch, row, situation), ...switchStep(batch, row, situation)];
  // A page is delivered to the site that its own configuration names, so it is checked after the switch.
  const pages = after.length === 0 ? [] : [stepOf('pages')];
  return [...before, stepOf('code'), stepOf('verify'), ...after, ...pages];
}

/** A site that moves has visitors: its new pages are prepared first, and what visitors see changes last. */
function moveSteps(batch: Batch, row: SiteRow, situation: RowSituation): PlannedStep[] {
  return [
    ...configurationPageStep(batch, row, situation),
    ...cloudConfigurationStep(batch, row, situation),
    ...switchStep(batch, row, situation),
    stepOf('code'),
    registerStep(batch, row, situation),
    stepOf('verify'),
    stepOf('pages'),
  ];
}

function stepOf(id: PlannedStep['id']): PlannedStep {
  return { id, state: { kind: 'verify' } };
}

function changedPaths(batch: Batch, row: SiteRow, current: Site | undefined): IntendedPaths | undefined {
  const after = rowSite(batch, row, current).public.paths ?? {};
  if (current === undefined || sameValue(current.public?.paths, after)) return undefined;
  return { organization: batch.organization, siteName: row.siteName, current, after };
}

function problemBefore(batch: Batch, row: SiteRow, { site, authoring }: RowSituation): RowProblem | undefined {
  const author = authorOfRow(batch, row);
  const mismatch = accountMismatch(row.technicalAccount, author, batch.environments ?? []);
  if (mismatch !== undefined) return rowProblem('read', 'account-mismatch', mismatch.data);
  const failure = firstFailure(site, authoring?.page, authoring?.configurationPage, authoring?.edge, baseNeeded(authoring));
  if (failure !== undefined) return problemOf('read', failure);
  const { move, siteName } = row;
  if (move !== undefined && site.state !== 'known') return rowProblem('read', 'site-missing', { site: siteName });
  const other = site.state === 'known' ? otherContent(batch, row, site.value.config) : undefined;
  if (move !== undefined && other !== undefined && other !== `${move.from}${move.root}`)
    return rowProblem('read', 'content-elsewhere', { site: siteName, root: other });
  if (move === undefined && other !== undefined && row.replacesContent !== true)
    return rowProblem('read', 'name-taken', { site: siteName, root: other });
  if (authoring?.page.state === 'missing') return rowProblem('read', 'page-missing', { page: row.contentRoot });
  if (authoring?.configurationPage?.state === 'known' && !isSpreadsheet(authoring.configurationPage.value.resourceType)) {
    const { path, resourceType = '' } = authoring.configurationPage.value;
    return rowProblem('configuration-page', 'configuration-page-type', { path, resourceType });
  }
  const own = authoring?.page.state === 'known' ? authoring.page.value.ownConfiguration : undefined;
  if (
    authoring !== undefined &&
    row.cloudConfiguration !== undefined &&
    row.cloudConfiguration === batch.baseConfiguration &&
    own !== row.cloudConfiguration
  )
    return rowProblem('cloud-configuration', 'configuration-shared', { configuration: row.cloudConfiguration });
  return undefined;
}

/** The base site's configuration matters only if a new one is created from it. */
function baseNeeded(authoring: RowSituation['authoring']) {
  return authoring?.edge?.state === 'missing' ? authoring.baseEdge : undefined;
}

function valueOf<T>(known: Known<T> | undefined): T | undefined {
  return known?.state === 'known' ? known.value : undefined;
}

/** The content of an existing site of this name, if it is not the row's; a site without mapped content may be used. */
function otherContent(batch: Batch, row: SiteRow, site: Site): string | undefined {
  const onAuthor = rootOnAuthor(site, authorOfRow(batch, row));
  // Content that is mapped to `/` besides the content root also belongs to the site.
  if (onAuthor !== undefined && contentRoots(site.public?.paths?.mappings ?? []).includes(row.contentRoot)) return undefined;
  if (onAuthor !== undefined) return onAuthor === row.contentRoot ? undefined : onAuthor;
  const root = contentRoot(site.public?.paths?.mappings ?? []);
  const elsewhere = authorOf(site) ?? `${site.content?.source.url ?? ''} `;
  return root === undefined ? undefined : `${elsewhere}${root}`;
}

function configurationPageStep(batch: Batch, row: SiteRow, { authoring }: RowSituation): PlannedStep[] {
  const { configurationPage: path } = row;
  if (authoring === undefined || path === undefined) return [];
  if (authoring.configurationPage?.state === 'known') return [{ id: 'configuration-page', state: { kind: 'done' } }];
  return [{ id: 'configuration-page', state: { kind: 'create' }, call: createPage(authorOfRow(batch, row), path, batch.info) }];
}

/** A single PUT, whatever differs; it never replaces what someone else created or changed in the meantime. */
function registerStep(batch: Batch, row: SiteRow, { site }: RowSituation): PlannedStep {
  const id = 'register-site';
  const current = site.state === 'known' ? site.value : undefined;
  const condition = current === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: current.etag };
  const versionName = row.move === undefined ? VERSION_NAMES.sites : VERSION_NAMES.move;
  const call = putSite(targetOfRow(batch, row), rowBody(batch, row, current), versionName, condition);
  if (current === undefined) return { id, state: { kind: 'create' }, call };
  if (rowDifference(batch, row, current.config).length === 0) return { id, state: { kind: 'done' } };
  const before = withoutServerFields(current.config);
  return {
    id,
    state: changeState(before, { ...before, ...rowSite(batch, row, current.config) }),
    call,
    restores: withoutServerFields(current.own),
  };
}

function cloudConfigurationStep(batch: Batch, row: SiteRow, { authoring, version, readAt, readBy }: RowSituation): PlannedStep[] {
  const conf = row.cloudConfiguration;
  if (authoring === undefined || conf === undefined) return [];
  const author = authorOfRow(batch, row);
  const desired = { organization: batch.organization, siteName: row.siteName, projectType: batch.info.repolessProjectType };
  const id = 'cloud-configuration';
  if (authoring.edge?.state !== 'known') {
    return [
      {
        id,
        state: { kind: 'create' },
        call: createEdge(author, conf, row.move?.configuration ?? valueOf(authoring.baseEdge), edgeProperties(desired), batch.info),
      },
    ];
  }
  const edge = authoring.edge.value;
  const state = changeState(edgeProperties(edgeValues(edge)), edgeProperties(desired));
  if (state.kind === 'done') return [{ id, state }];
  const previous: Previous = {
    at: readAt,
    by: readBy,
    projectType: edge.projectType ?? null,
    organization: edge.owner ?? null,
    siteName: edge.repo ?? null,
    siteVersion: version ?? null,
    org: batch.organization,
    site: row.siteName,
    configurationPageCreated: authoring.configurationPage?.state === 'missing',
    configurationPages:
      authoring.configurationPage?.state === 'missing' && row.configurationPage !== undefined ? [row.configurationPage] : [],
  };
  return [{ id, state, call: changeEdge(author, conf, edge, desired, previous), revert: restoreEdge(author, conf, edge, desired) }];
}

/** The page stops inheriting: it selects its own configuration. */
function switchStep(batch: Batch, row: SiteRow, { authoring }: RowSituation): PlannedStep[] {
  const conf = row.cloudConfiguration;
  if (authoring?.page.state !== 'known' || conf === undefined) return [];
  const before = authoring.page.value.ownConfiguration;
  if (before === conf) return [{ id: 'switch', state: { kind: 'done' } }];
  const select = (value: string | undefined) => selectConfiguration(authorOfRow(batch, row), row.contentRoot, value ?? null);
  return [{ id: 'switch', state: changeState(before, conf), call: select(conf), revert: select(before) }];
}

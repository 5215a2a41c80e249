import { defined, sameValue } from '@repoless/contract/json.ts';
import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import {
  copiedProperties,
  createEdge,
  createPage,
  EDGE_PROPERTY,
  edgeConfigurationPath,
  postToConfiguration,
  selectConfiguration,
  changedFields,
  edgeProperties,
  type EdgeValues,
  PREVIOUS_PROPERTY,
  propertyField,
  removeNode,
} from '../situation/edge-configuration.ts';
import { isSpreadsheet, siteBefore } from '../situation/record.ts';
import type { AuthoringSettings, Choices, ConfigurationRecord, Previous, Situation } from '../situation/situation.ts';
import { blocked, blockedByFailure, changeState, type Step, type StepState } from './plan.ts';

/** Stores the previous values, once, with the Edge Delivery configuration, so that undo survives anything. */
export function keepPreviousStep(situation: Situation, choices: Choices, anythingToDo: boolean): Step {
  const { settings } = situation;
  const stored = settings.previous;
  const storedForThisSite = stored?.org === choices.organization && stored.site === choices.siteName ? stored : undefined;
  const further = storedForThisSite === undefined ? undefined : renewed(storedForThisSite, situation, choices);
  const isUpToDate = further === undefined ? !anythingToDo : sameValue(further, storedForThisSite);
  if (isUpToDate) return { id: 'keep-previous', state: { kind: 'done' } };
  const path = edgeConfigurationPath(settings);
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id: 'keep-previous', state: inherited };
  if (path === undefined) return { id: 'keep-previous', state: noConfiguration(settings) };
  const record = JSON.stringify(further ?? previousOf(situation, choices));
  return {
    id: 'keep-previous',
    state: further === undefined ? { kind: 'create' } : changeState(stored, further),
    call: postToConfiguration(settings.author, path, [propertyField(PREVIOUS_PROPERTY, record)]),
    // A new configuration is created with the record in it.
    ...(settings.newConfiguration?.state === 'none' ? { sharedWith: 'create-configuration' } : {}),
  };
}

/** The record with its current values. */
function renewed(stored: Previous, situation: Situation, choices: Choices): Previous {
  const siteVersion = siteBefore(situation) ?? stored.siteVersion;
  return withFurtherPage(withoutPagesOfOthers({ ...stored, siteVersion }, situation), situation, choices);
}

/** The record is written before the page is created, so it may name one that someone else created first: an undo would remove that. */
function withoutPagesOfOthers(stored: Previous, { pagesOfOthers = [], profile }: Situation): Previous {
  // The record of someone else's setup names what that created.
  if (profile.state !== 'known' || profile.value.email !== stored.by) return stored;
  const own = stored.configurationPages?.filter((path) => !pagesOfOthers.includes(path));
  return own === undefined ? stored : { ...stored, configurationPageCreated: own.length > 0, configurationPages: own };
}

/** The record with the additional page that this apply creates. */
function withFurtherPage(stored: Previous, { configurationPage, createdPages = [] }: Situation, choices: Choices): Previous {
  const path = choices.configurationPage;
  if (configurationPage.state !== 'missing' || stored.configurationPages?.includes(path) === true) return stored;
  const others = createdPages.filter(({ page }) => page.state !== 'missing').map((created) => created.path);
  return { ...stored, configurationPageCreated: true, configurationPages: [...others, path] };
}

/** The page whose rows become the site's public configuration sheet (docs/design-facts.md 2.7). */
export function configurationPageStep({ configurationPage, settings, info }: Situation, choices: Choices): Step {
  const id = 'configuration-page';
  if (configurationPage.state === 'failed') {
    const state = blockedByFailure(configurationPage.failure);
    const unreachable = state.kind === 'blocked' && state.reason === 'service-unreachable';
    return { id, state: unreachable ? { ...state, reason: 'authoring-unreachable' } : state };
  }
  if (configurationPage.state === 'known') {
    const { path, resourceType } = configurationPage.value;
    if (isSpreadsheet(resourceType)) return { id, state: { kind: 'done' } };
    return { id, state: blocked('configuration-page-type', { path, resourceType: resourceType ?? '' }) };
  }
  return { id, state: { kind: 'create' }, call: createPage(settings.author, choices.configurationPage, info) };
}

export function cloudConfigurationStep(situation: Situation, choices: Choices): Step {
  const id = 'cloud-configuration';
  const { settings } = situation;
  const path = edgeConfigurationPath(settings);
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id, state: inherited };
  if (path === undefined) return { id, state: noConfiguration(settings) };
  const before = namesOf(settings);
  const after = { organization: choices.organization, siteName: choices.siteName };
  const state = changeState(Object.keys(before).length === 0 ? undefined : before, after);
  if (state.kind === 'done') return { id, state };
  const post = (from: EdgeValues, to: EdgeValues) => postToConfiguration(settings.author, path, changedFields(from, to));
  return { id, state, call: post(before, after), revert: post(after, before) };
}

/** The switch to repoless: the very last step. */
export function projectTypeStep(situation: Situation): Step {
  const id = 'project-type';
  const { settings, info } = situation;
  const path = edgeConfigurationPath(settings);
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id, state: inherited };
  if (path === undefined) return { id, state: noConfiguration(settings) };
  const state = changeState(settings.projectType.value, info.repolessProjectType);
  if (state.kind === 'done') return { id, state };
  return {
    id,
    state,
    call: postToConfiguration(settings.author, path, [propertyField(EDGE_PROPERTY.projectType, info.repolessProjectType)]),
  };
}

/** There is no configuration to write to: an author must first select an Edge Delivery configuration in the authoring system. */
function noConfiguration({ siteRoot, cloudConfiguration, newConfiguration }: AuthoringSettings): StepState {
  if (newConfiguration !== undefined) return blocked('earlier-step', { step: 'create-configuration' });
  return blocked('cloud-configuration-missing', { page: siteRoot, configuration: cloudConfiguration.value ?? '' });
}

function namesOf({ organization, siteName }: AuthoringSettings): { organization?: string; siteName?: string } {
  return {
    ...defined({ organization: organization.value, siteName: siteName.value }),
  };
}

/** Blocked if the page only inherits its configuration: writing there would change the site that owns it. */
function inheritedConfiguration({ settings }: Situation): StepState | undefined {
  const { value, source } = settings.cloudConfiguration;
  if (source.kind !== 'inherited') return undefined;
  return blocked('inherited-configuration', { page: settings.siteRoot, from: source.from, configuration: value ?? '' });
}

/** The current values of the effective configuration. */
export function valuesOf({ projectType, organization, siteName }: AuthoringSettings) {
  return { projectType: projectType.value ?? null, organization: organization.value ?? null, siteName: siteName.value ?? null };
}

export function previousOf(situation: Situation, choices: Choices): Previous {
  const { settings, site, configurationPage, profile, readAt } = situation;
  const configuration = configurationRecord(situation);
  return {
    at: readAt ?? '',
    by: profile.state === 'known' ? profile.value.email : '',
    ...valuesOf(settings),
    siteVersion: site.state === 'known' ? site.value.version : null,
    org: choices.organization,
    site: choices.siteName,
    configurationPageCreated: configurationPage.state === 'missing',
    configurationPages: configurationPage.state === 'missing' ? [choices.configurationPage] : [],
    ...(configuration === undefined ? {} : { configuration }),
  };
}

/** The steps that create a configuration for the page and select it; none if the page has one that setup didn't create. */
export function newConfigurationSteps(situation: Situation, record: Previous): Step[] {
  const { newConfiguration: fresh, previous } = situation.settings;
  const stored = previous?.configuration;
  return [
    ...(fresh !== undefined || stored?.created !== undefined ? [createStep(situation, record)] : []),
    ...(fresh?.selects === true || stored?.selected === true ? [selectStep(situation)] : []),
  ];
}

function createStep(situation: Situation, record: Previous): Step {
  const id = 'create-configuration';
  const { settings, info, baseConfiguration } = situation;
  const fresh = settings.newConfiguration;
  const path = fresh?.path ?? settings.cloudConfiguration.value ?? '';
  const request = `GET ${path}/${EDGE_CONFIGURATION}/jcr:content.json`;
  if (fresh?.state === 'taken') {
    const data = { configuration: path, page: settings.siteRoot, names: fresh.names ?? '' };
    return { id, state: blocked('cloud-configuration-taken', data), evidence: { request, answer: `200, ${fresh.names}` } };
  }
  if (fresh?.state !== 'none') return { id, state: { kind: 'done' }, evidence: { request, answer: '200' } };
  // A new configuration that hides one above must name the same site until it is ready.
  const properties = { ...edgeProperties(valuesOf(settings)), [PREVIOUS_PROPERTY]: JSON.stringify(record) };
  const call = createEdge(settings.author, path, baseConfiguration, properties, info);
  return { id, state: { kind: 'create' }, call, evidence: { request, answer: '404' } };
}

function selectStep({ settings }: Situation): Step {
  const id = 'select-configuration';
  const fresh = settings.newConfiguration;
  if (fresh === undefined) return { id, state: { kind: 'done' } };
  const call = selectConfiguration(settings.author, settings.siteRoot, fresh.path);
  return { id, state: { kind: 'change', before: null, after: fresh.path }, call };
}

/** What is recorded about a configuration before it is created or selected. */
function configurationRecord({ settings, info, baseConfiguration }: Situation): ConfigurationRecord | undefined {
  const { newConfiguration: fresh, previous } = settings;
  if (previous?.configuration !== undefined) return previous.configuration;
  if (fresh === undefined || fresh.state === 'taken') return undefined;
  const created = fresh.state === 'none' ? { created: copiedProperties(baseConfiguration, info) } : {};
  return { ...created, selected: fresh.selects };
}

/**
 * Undo: the page no longer selects a configuration, and the created one is removed, with the record in it. If someone changed it since, it
 * stays, and stays selected.
 */
export function removalSteps(situation: Situation, previous: Previous): { readonly deselect: Step[]; readonly remove: Step[] } {
  const { settings } = situation;
  const created = previous.configuration;
  const isRemoved = created?.created !== undefined && settings.createdConfiguration === 'as-made';
  const isDeselected = created?.selected === true && (created.created === undefined || isRemoved);
  return {
    deselect: isDeselected ? [deselectStep(settings)] : [],
    remove: isRemoved ? [removeStep(settings)] : [],
  };
}

function deselectStep(settings: AuthoringSettings): Step {
  const id = 'select-configuration';
  const { value, source } = settings.cloudConfiguration;
  if (settings.newConfiguration !== undefined || source.kind !== 'page') return { id, state: { kind: 'done' } };
  return {
    id,
    state: { kind: 'change', before: value ?? null, after: null },
    call: selectConfiguration(settings.author, settings.siteRoot, null),
  };
}

function removeStep({ author, newConfiguration: fresh, cloudConfiguration }: AuthoringSettings): Step {
  const path = fresh?.path ?? cloudConfiguration.value ?? '';
  const state: StepState = { kind: 'change', before: { path }, after: null };
  return { id: 'create-configuration', state, call: removeNode(`${author}${path}/${EDGE_CONFIGURATION}`) };
}

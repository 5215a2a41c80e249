import { SHEET_TYPE } from '@repoless/contract/authoring.ts';
import { blockedByFailure } from './blocked-by-failure.ts';
import { changeState } from './difference.ts';
import {
  EDGE_PROPERTY,
  PREVIOUS_PROPERTY,
  edgeConfigurationPath,
  postToConfiguration,
  propertyField,
} from '../situation/edge-configuration.ts';
import type { Field } from '../situation/edge-configuration.ts';
import { configurationRecord } from './new-configuration.ts';
import { blocked } from './plan-steps.ts';
import type { Call, Step, StepState } from './plan.ts';
import type { AuthoringSettings, Choices, Previous } from '../situation/settings.ts';
import { siteBefore } from '../situation/site-before.ts';
import type { Situation } from '../situation/situation.ts';

/** Keeps the values from before, once, with the Edge Delivery configuration (so that undo survives anything). */
export function keepPreviousStep(situation: Situation, choices: Choices, anythingToDo: boolean): Step {
  const { settings } = situation;
  const kept = settings.previous;
  const keptForThisSite = kept?.org === choices.organization && kept.site === choices.siteName ? kept : undefined;
  const further = keptForThisSite === undefined ? undefined : renewed(keptForThisSite, situation, choices);
  if ((keptForThisSite !== undefined && further === undefined) || !anythingToDo) return { id: 'keep-previous', state: { kind: 'done' } };
  const path = edgeConfigurationPath(settings);
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id: 'keep-previous', state: inherited };
  if (path === undefined) return { id: 'keep-previous', state: noConfiguration(settings) };
  const record = JSON.stringify(further ?? previousOf(situation, choices));
  const call = postToConfiguration(settings.author, path, [propertyField(PREVIOUS_PROPERTY, record)]);
  return {
    id: 'keep-previous',
    state: further === undefined ? { kind: 'create' } : changeState(kept, further),
    call,
    // A configuration that is made is made with the record in it.
    ...(settings.newConfiguration?.state === 'none' ? { sharedWith: 'create-configuration' } : {}),
  };
}

/** The record as it has to be by now; undefined where it is so already. */
function renewed(kept: Previous, situation: Situation, choices: Choices): Previous | undefined {
  const siteVersion = siteBefore(situation);
  const withVersion = siteVersion === undefined ? kept : { ...kept, siteVersion };
  return withFurtherPage(withVersion, situation, choices) ?? (siteVersion === undefined ? undefined : withVersion);
}

/** The record with the page that this apply makes besides; undefined where it makes none, or the record has it. */
function withFurtherPage(kept: Previous, { configurationPage, createdPages = [] }: Situation, choices: Choices): Previous | undefined {
  const path = choices.configurationPage;
  if (configurationPage.state !== 'missing' || kept.configurationPages?.includes(path) === true) return undefined;
  const others = createdPages.filter(({ page }) => page.state !== 'missing').map((created) => created.path);
  return { ...kept, configurationPageCreated: true, configurationPages: [...others, path] };
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
  const slash = choices.configurationPage.lastIndexOf('/');
  const fields: Field[] = [
    ['cmd', 'createPage'],
    ['parentPath', choices.configurationPage.slice(0, slash)],
    ['title', 'Configuration'],
    ['label', choices.configurationPage.slice(slash + 1)],
    ['template', info.configurationTemplate],
  ];
  const call: Call = { target: 'authoring', method: 'POST', address: `${settings.author}/bin/wcmcommand`, body: { type: 'form', fields } };
  return { id, state: { kind: 'create' }, call };
}

/** A page without a type is one that cannot be read whole; only a page of another type is wrong. */
export function isSpreadsheet(resourceType: string | undefined): boolean {
  return resourceType === undefined || resourceType.includes(SHEET_TYPE);
}

/** Organization and site name in the Edge Delivery configuration. */
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
  const differing = (['organization', 'siteName'] as const).filter((field) => before[field] !== after[field]);
  const post = (values: Partial<typeof after>): Call =>
    postToConfiguration(
      settings.author,
      path,
      differing.map((field) => propertyField(EDGE_PROPERTY[field], values[field] ?? null)),
    );
  return { id, state, call: post(after), revert: post(before) };
}

/** The switch to repoless: the last step of all. */
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

/** Nowhere to set anything: an author selects an Edge Delivery configuration in the authoring system first. */
function noConfiguration({ siteRoot, cloudConfiguration, newConfiguration }: AuthoringSettings): StepState {
  if (newConfiguration !== undefined) return blocked('earlier-step', { step: 'create-configuration' });
  return blocked('cloud-configuration-missing', { page: siteRoot, configuration: cloudConfiguration.value ?? '' });
}

function namesOf({ organization, siteName }: AuthoringSettings): { organization?: string; siteName?: string } {
  return {
    ...(organization.value === undefined ? {} : { organization: organization.value }),
    ...(siteName.value === undefined ? {} : { siteName: siteName.value }),
  };
}

/** Blocked where the page only inherits its configuration: writing there would change the site that owns it. */
function inheritedConfiguration({ settings }: Situation): StepState | undefined {
  const { value, source } = settings.cloudConfiguration;
  if (source.kind !== 'inherited') return undefined;
  return blocked('inherited-configuration', { page: settings.siteRoot, from: source.from, configuration: value ?? '' });
}

/** The record of the values before. */
export function previousOf(situation: Situation, choices: Choices): Previous {
  const { settings, site, configurationPage, profile, readAt } = situation;
  const configuration = configurationRecord(situation);
  return {
    at: readAt ?? '',
    by: profile.state === 'known' ? profile.value.email : '',
    projectType: settings.projectType.value ?? null,
    organization: settings.organization.value ?? null,
    siteName: settings.siteName.value ?? null,
    siteVersion: site.state === 'known' ? site.value.version : null,
    org: choices.organization,
    site: choices.siteName,
    configurationPageCreated: configurationPage.state === 'missing',
    configurationPages: configurationPage.state === 'missing' ? [choices.configurationPage] : [],
    ...(configuration === undefined ? {} : { configuration }),
  };
}

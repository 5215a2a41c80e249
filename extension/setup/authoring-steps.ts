import { blockedByFailure } from './blocked-by-failure.ts';
import { changeState } from './difference.ts';
import {
  EDGE_PROPERTY,
  PREVIOUS_PROPERTY,
  edgeConfigurationPath,
  ownValues,
  postToConfiguration,
  propertyField,
} from './edge-configuration.ts';
import type { Field } from './edge-configuration.ts';
import { blocked } from './plan-steps.ts';
import type { Call, Step, StepState } from './plan.ts';
import type { Choices, Previous } from './settings.ts';
import type { Situation } from './situation.ts';

/** What an Edge Delivery configuration is made of where there is none yet. */
const NEW_CONFIGURATION: readonly Field[] = [
  ['./jcr:primaryType', 'cq:PageContent'],
  ['./jcr:title', 'Edge Delivery Services Configuration'],
];

/** Keeps the values from before, once, with the Edge Delivery configuration (so that undo survives anything). */
export function keepPreviousStep(situation: Situation, choices: Choices, anythingToDo: boolean): Step {
  const { settings } = situation;
  const kept = settings.previous;
  const keptForThisSite = kept?.org === choices.organization && kept.site === choices.siteName;
  if (keptForThisSite || !anythingToDo) return { id: 'keep-previous', state: { kind: 'done' } };
  const path = edgeConfigurationPath(settings);
  if (path === undefined) return { id: 'keep-previous', state: blocked('cloud-configuration-missing', { page: settings.siteRoot }) };
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id: 'keep-previous', state: inherited };
  const record = JSON.stringify(previousOf(situation, choices));
  const create = settings.configurationMissing === true ? NEW_CONFIGURATION : [];
  const call = postToConfiguration(settings.author, path, [...create, propertyField(PREVIOUS_PROPERTY, record)]);
  return { id: 'keep-previous', state: { kind: 'create' }, call };
}

/** The page whose rows become the site's public configuration sheet. */
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
  return resourceType === undefined || resourceType.includes('/spreadsheet');
}

/** Organization and site name in the Edge Delivery configuration. */
export function cloudConfigurationStep(situation: Situation, choices: Choices): Step {
  const id = 'cloud-configuration';
  const { settings } = situation;
  const path = edgeConfigurationPath(settings);
  if (path === undefined) return { id, state: blocked('cloud-configuration-missing', { page: settings.siteRoot }) };
  const inherited = inheritedConfiguration(situation);
  if (inherited !== undefined) return { id, state: inherited };
  const { projectType: _type, ...before } = ownValues(settings);
  const after = { organization: choices.organization, siteName: choices.siteName };
  const state = changeState(Object.keys(before).length === 0 ? undefined : before, after);
  if (state.kind === 'done') return { id, state };
  const fields = (['organization', 'siteName'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => propertyField(EDGE_PROPERTY[field], after[field]));
  return { id, state, call: postToConfiguration(settings.author, path, fields) };
}

/** The switch to repoless: the last step of all. */
export function projectTypeStep(situation: Situation): Step {
  const id = 'project-type';
  const { settings, info } = situation;
  const path = edgeConfigurationPath(settings);
  const state = inheritedConfiguration(situation) ?? changeState(ownValues(settings).projectType, info.repolessProjectType);
  if (state.kind === 'done' || state.kind === 'blocked') return { id, state };
  if (path === undefined) return { id, state: blocked('cloud-configuration-missing', { page: settings.siteRoot }) };
  return {
    id,
    state,
    call: postToConfiguration(settings.author, path, [propertyField(EDGE_PROPERTY.projectType, info.repolessProjectType)]),
  };
}

/** Blocked where the page only inherits its configuration: writing there would change the site that owns it. */
function inheritedConfiguration({ settings }: Situation): StepState | undefined {
  const { value, source } = settings.cloudConfiguration;
  if (source.kind !== 'inherited') return undefined;
  return blocked('inherited-configuration', { page: settings.siteRoot, from: source.from, configuration: value ?? '' });
}

function previousOf({ settings, site, configurationPage, profile, readAt }: Situation, choices: Choices): Previous {
  const own = ownValues(settings);
  return {
    at: readAt ?? '',
    by: profile.state === 'known' ? profile.value.email : '',
    projectType: own.projectType ?? null,
    organization: own.organization ?? null,
    siteName: own.siteName ?? null,
    siteVersion: site.state === 'known' ? site.value.version : null,
    org: choices.organization,
    site: choices.siteName,
    configurationPageCreated: configurationPage.state === 'missing',
    ...(settings.configurationMissing === true ? { configurationCreated: true } : {}),
  };
}

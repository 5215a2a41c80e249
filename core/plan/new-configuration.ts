import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { EDGE_PROPERTY, PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import { blocked } from './plan-steps.ts';
import type { Call, Step } from './plan.ts';
import type { AuthoringSettings, ConfigurationRecord, Previous } from '../situation/settings.ts';
import type { Situation } from '../situation/situation.ts';
import { copiedProperties, createEdge, postToPage } from '../sites/edge-call.ts';

/** The steps that create a configuration for the page and select it; none if the page has one that setup didn't create. */
export function newConfigurationSteps(situation: Situation, record: Previous): Step[] {
  const { newConfiguration: fresh, previous } = situation.settings;
  const kept = previous?.configuration;
  return [
    ...(fresh !== undefined || kept?.created !== undefined ? [createStep(situation, record)] : []),
    ...(fresh?.selects === true || kept?.selected === true ? [selectStep(situation)] : []),
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
  const properties = { ...namesInForce(settings), [PREVIOUS_PROPERTY]: JSON.stringify(record) };
  const call = createEdge(settings.author, path, baseConfiguration, properties, info);
  return { id, state: { kind: 'create' }, call, evidence: { request, answer: '404' } };
}

/** A new configuration that hides one above must name the same site until it is ready. */
function namesInForce(settings: AuthoringSettings): Record<string, string> {
  const fields = ['organization', 'siteName', 'projectType'] as const;
  return Object.fromEntries(
    fields.flatMap((field) => (settings[field].value === undefined ? [] : [[EDGE_PROPERTY[field], settings[field].value]])),
  );
}

function selectStep({ settings }: Situation): Step {
  const id = 'select-configuration';
  const fresh = settings.newConfiguration;
  if (fresh === undefined) return { id, state: { kind: 'done' } };
  const call = selectCall(settings, fresh.path);
  return { id, state: { kind: 'change', before: null, after: fresh.path }, call };
}

function selectCall({ author, siteRoot }: AuthoringSettings, conf: string | null): Call {
  return postToPage(author, siteRoot, 'cq:conf', conf);
}

/** What the record keeps of a configuration that is about to be made, or selected. */
export function configurationRecord({ settings, info, baseConfiguration }: Situation): ConfigurationRecord | undefined {
  const { newConfiguration: fresh, previous } = settings;
  if (previous?.configuration !== undefined) return previous.configuration;
  if (fresh === undefined || fresh.state === 'taken') return undefined;
  const created = fresh.state === 'none' ? { created: copiedProperties(baseConfiguration, info) } : {};
  return { ...created, selected: fresh.selects };
}

/**
 * Undo: the page selects no configuration again, and the created one is removed, with the record in it. If somebody changed it since, it stays,
 * and stays selected.
 */
export function removalSteps(situation: Situation, previous: Previous): { readonly deselect: Step[]; readonly remove: Step[] } {
  const { settings } = situation;
  const made = previous.configuration;
  const isRemoved = made?.created !== undefined && settings.createdConfiguration === 'as-made';
  const isDeselected = made?.selected === true && (made.created === undefined || isRemoved);
  return {
    deselect: isDeselected ? [deselectStep(settings)] : [],
    remove: isRemoved ? [removeStep(settings)] : [],
  };
}

function deselectStep(settings: AuthoringSettings): Step {
  const id = 'select-configuration';
  const { value, source } = settings.cloudConfiguration;
  if (settings.newConfiguration !== undefined || source.kind !== 'page') return { id, state: { kind: 'done' } };
  return { id, state: { kind: 'change', before: value ?? null, after: null }, call: selectCall(settings, null) };
}

function removeStep({ author, newConfiguration: fresh, cloudConfiguration }: AuthoringSettings): Step {
  const path = fresh?.path ?? cloudConfiguration.value ?? '';
  const call: Call = {
    target: 'authoring',
    method: 'POST',
    address: `${author}${path}/${EDGE_CONFIGURATION}`,
    body: { type: 'form', fields: [[':operation', 'delete']] },
  };
  return { id: 'create-configuration', state: { kind: 'change', before: { path }, after: null }, call };
}

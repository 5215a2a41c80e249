import type { ServiceInfo } from '@repoless/contract/service.ts';
import { EDGE_CONFIGURATION, type EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { Call } from './call.ts';
import type { AuthoringSettings, NewConfiguration, Previous, Setting } from './situation.ts';

/** Property of the Edge Delivery configuration that stores the values from before an apply. */
export const PREVIOUS_PROPERTY = 'repolessPrevious';

/** The authoring system's names for organization, site name and project type. */
export const EDGE_PROPERTY = { organization: 'owner', siteName: 'repo', projectType: 'projectType' } as const;

/** The page's own path, otherwise `/conf/<root>/<locale>` below the inherited one: `/conf/wknd/ch-de` for `/content/wknd/ch/de`. */
export function ownConfigurationPath({
  path,
  cloudConfiguration: { value, source },
}: {
  readonly path: string;
  readonly cloudConfiguration: Setting;
}): string {
  if (value !== undefined && source.kind === 'page') return value;
  const [, , root = '', ...rest] = path.split('/');
  if (value === undefined || source.kind !== 'inherited') return ['/conf', root, ...joined(rest)].join('/');
  return [value, ...joined(path.slice(source.from.length).split('/'))].join('/');
}

function joined(segments: readonly string[]): string[] {
  const name = sanitizeRef(segments.join('-'));
  return name === '' ? [] : [name];
}

const OWN: readonly string[] = [...Object.values(EDGE_PROPERTY), PREVIOUS_PROPERTY, 'siteAuthToken'];

const TAKEN = /^(jcr:title|sling:resourceType|cq:template|[A-Za-z][A-Za-z0-9]*)$/;

/** The properties that a new configuration copies from another. */
export function copiedProperties(
  base: EdgeConfiguration | undefined,
  { technicalAccountProperty }: Pick<ServiceInfo, 'technicalAccountProperty'>,
): Record<string, Copied> {
  return Object.fromEntries(
    Object.entries(base ?? {}).flatMap(([name, value]): [string, Copied][] => {
      if (!TAKEN.test(name) || OWN.includes(name) || name === technicalAccountProperty) return [];
      return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

export type Copied = string | number | boolean;

/**
 * The path at which a site root without a cloud configuration gets one: the path that it already selects, otherwise one
 * below the root's own name. Undefined if it has one, or inherits that of another page.
 */
export function pathOfNew(siteRoot: string, cloudConfiguration: Setting, isMissing: boolean): string | undefined {
  const { value, source } = cloudConfiguration;
  if (source.kind === 'missing') return ownConfigurationPath({ path: siteRoot, cloudConfiguration });
  return isMissing && source.kind === 'page' ? value : undefined;
}

/**
 * What exists there. A configuration that names no organization and site, or that setup created, is used; `keeps` says whether setup
 * created it. Any other one belongs to someone, who may use it on another page.
 */
export function newConfiguration(
  path: string,
  found: EdgeConfiguration | undefined,
  { keeps, selects }: { readonly keeps: boolean; readonly selects: boolean },
): NewConfiguration {
  if (found === undefined) return { path, selects, state: 'none' };
  const { owner = '', repo = '' } = found;
  return keeps || (owner === '' && repo === '')
    ? { path, selects, state: 'there' }
    : { path, selects, state: 'taken', names: `${owner}/${repo}` };
}

/** Whether a configuration is still as an apply created it: with the previous or the new names, and otherwise unchanged. */
export function isUnchangedConfiguration(
  found: EdgeConfiguration,
  previous: Previous,
  info: Pick<ServiceInfo, 'repolessProjectType' | 'technicalAccountProperty'>,
): boolean {
  const { organization, siteName, projectType, org, site, configuration } = previous;
  const names = [
    [found.owner, organization, org],
    [found.repo, siteName, site],
    [found.projectType, projectType, info.repolessProjectType],
  ] as const;
  const isNamed = names.every(([value = null, before, after]) => value === before || value === after);
  return isNamed && found.siteAuthToken === undefined && sameValue(copiedProperties(found, info), configuration?.created);
}

export type Field = readonly [name: string, value: string];

/**
 * Path of the effective Edge Delivery configuration, or of the one that the page will get; undefined if the effective `cq:conf` contains
 * none.
 */
export function edgeConfigurationPath(settings: AuthoringSettings): string | undefined {
  const { cloudConfiguration, configurationMissing, newConfiguration: fresh } = settings;
  if (fresh !== undefined) return fresh.state === 'taken' ? undefined : `${fresh.path}/${EDGE_CONFIGURATION}`;
  return cloudConfiguration.value === undefined || configurationMissing === true
    ? undefined
    : `${cloudConfiguration.value}/${EDGE_CONFIGURATION}`;
}

/** One Sling POST to the properties of the Edge Delivery configuration at `path`. */
export function postToConfiguration(author: string, path: string, fields: readonly Field[]): Call {
  return { target: 'authoring', method: 'POST', address: `${author}${path}/_jcr_content`, body: { type: 'form', fields } };
}

/** Sets a property, or removes it if the value is null. */
export function propertyField(name: string, value: string | null): Field {
  return value === null ? [`./${name}@Delete`, 'true'] : [`./${name}`, value];
}

/** Organization, site name and project type; null or absent if there is none. */
export interface EdgeValues {
  readonly organization?: string | null | undefined;
  readonly siteName?: string | null | undefined;
  readonly projectType?: string | null | undefined;
}

export function edgeValues({ owner, repo, projectType }: EdgeConfiguration): EdgeValues {
  return { organization: owner, siteName: repo, projectType };
}

/** The same as properties of the authoring system. */
export function edgeProperties(values: EdgeValues): Record<string, string> {
  return Object.fromEntries(valuesByField(values).flatMap(([field, value]) => (value === null ? [] : [[EDGE_PROPERTY[field], value]])));
}

/** The fields of a POST that turns values into others. */
export function changedFields(from: EdgeValues, to: EdgeValues): Field[] {
  return valuesByField(to).flatMap(([field, value]) =>
    (from[field] ?? null) === value ? [] : [propertyField(EDGE_PROPERTY[field], value)],
  );
}

function valuesByField(values: EdgeValues): [keyof EdgeValues, string | null][] {
  const fields = ['organization', 'siteName', 'projectType'] as const;
  return fields.map((field) => [field, values[field] ?? null]);
}

/** One Sling POST that changes what differs in an existing configuration, and stores the previous values with it. */
export function changeEdge(
  author: string,
  conf: string,
  edge: EdgeConfiguration,
  desired: EdgeValues,
  previous: Previous | undefined,
): Call {
  const record = edge[PREVIOUS_PROPERTY] === undefined ? [propertyField(PREVIOUS_PROPERTY, JSON.stringify(previous))] : [];
  return postToConfiguration(author, `${conf}/${EDGE_CONFIGURATION}`, [...record, ...changedFields(edgeValues(edge), desired)]);
}

/** Reverts such a change, except for the record of the previous values. */
export function restoreEdge(author: string, conf: string, edge: EdgeConfiguration, desired: EdgeValues): Call {
  return postToConfiguration(author, `${conf}/${EDGE_CONFIGURATION}`, changedFields(desired, edgeValues(edge)));
}

/** Reverts a change completely: also removes the record if the change created it. */
export function withoutRecord({ body }: Call, back: Call): Call {
  const isRecorded = body?.type === 'form' && body.fields.some(([name]) => name === `./${PREVIOUS_PROPERTY}`);
  if (!isRecorded || back.body?.type !== 'form') return back;
  return { ...back, body: { type: 'form', fields: [...back.body.fields, propertyField(PREVIOUS_PROPERTY, null)] } };
}

/**
 * One Sling POST that creates a configuration: a page with its properties. It starts with the base site's properties,
 * except names, tokens, records, and what the authoring system sets itself. Takes its own properties.
 */
export function createEdge(
  author: string,
  conf: string,
  base: EdgeConfiguration | undefined,
  own: Readonly<Record<string, string>>,
  info: Pick<ServiceInfo, 'technicalAccountProperty'>,
): Call {
  const fields: Field[] = [
    ['./jcr:primaryType', 'cq:Page'],
    ['./jcr:content/jcr:primaryType', 'cq:PageContent'],
    ...Object.entries(copiedProperties(base, info)).flatMap(([name, value]) => copiedFields(name, value)),
    ...Object.entries(own).map(([name, value]): Field => [`./jcr:content/${name}`, value]),
  ];
  const address = `${author}${conf}/${EDGE_CONFIGURATION}`;
  return { target: 'authoring', method: 'POST', address, body: { type: 'form', fields }, assumes: removeNode(address) };
}

function copiedFields(name: string, value: Copied): Field[] {
  const field = `./jcr:content/${name}`;
  if (typeof value === 'string') return [[field, value]];
  return [
    [field, String(value)],
    [`${field}@TypeHint`, typeof value === 'boolean' ? 'Boolean' : 'Long'],
  ];
}

/** One Sling POST that makes a page select a configuration, or inherit one again. */
export function selectConfiguration(author: string, page: string, conf: string | null): Call {
  const address = `${author}${page}/_jcr_content`;
  return { target: 'authoring', method: 'POST', address, body: { type: 'form', fields: [propertyField('cq:conf', conf)] } };
}

/** The command takes parent and name of the page from form fields (docs/design-facts.md 2.2). */
export function createPage(author: string, path: string, { configurationTemplate }: Pick<ServiceInfo, 'configurationTemplate'>): Call {
  const slash = path.lastIndexOf('/');
  const fields: Field[] = [
    ['cmd', 'createPage'],
    ['parentPath', path.slice(0, slash)],
    ['title', 'Configuration'],
    ['label', path.slice(slash + 1)],
    ['template', configurationTemplate],
  ];
  return { target: 'authoring', method: 'POST', address: `${author}/bin/wcmcommand`, body: { type: 'form', fields } };
}

/** One Sling POST that deletes a page, or another node. */
export function removeNode(address: string): Call {
  return { target: 'authoring', method: 'POST', address, body: { type: 'form', fields: [[':operation', 'delete']] } };
}

/** The page that a call creates, or for which it selects a configuration. */
export function subjectOf({ address, body }: Call): { readonly creates?: string; readonly changes?: string } {
  const fields = new Map(body?.type === 'form' ? body.fields : []);
  const [parent, label] = [fields.get('parentPath'), fields.get('label')];
  if (parent !== undefined && label !== undefined) return { creates: `${parent}/${label}` };
  const selects = ['./cq:conf', './cq:conf@Delete'].some((name) => fields.has(name));
  return selects ? { changes: address.replace(/^https?:\/\/[^/]+|\/_jcr_content$/g, '') } : {};
}

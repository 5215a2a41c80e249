import { EDGE_CONFIGURATION } from '#contract/authoring.ts';
import type { EdgeConfiguration } from '#contract/authoring.ts';
import type { ServiceInfo } from '#contract/service.ts';
import { EDGE_PROPERTY, PREVIOUS_PROPERTY, postToConfiguration, propertyField } from '../edge-configuration.ts';
import type { Field } from '../edge-configuration.ts';
import type { Call } from '../plan.ts';
import type { Previous } from '../settings.ts';

/** What a site's own Edge Delivery configuration must say. */
export interface WantedEdge {
  readonly organization: string;
  readonly siteName: string;
  readonly projectType: string;
}

const FIELDS = ['organization', 'siteName', 'projectType'] as const;

export function wantedProperties(wanted: WantedEdge): Record<string, string> {
  return Object.fromEntries(FIELDS.map((field) => [EDGE_PROPERTY[field], wanted[field]]));
}

/** The three properties that matter, as they are. */
export function presentProperties(edge: EdgeConfiguration): Record<string, string> {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = edge[EDGE_PROPERTY[field]];
      return value === undefined ? [] : [[EDGE_PROPERTY[field], value]];
    }),
  );
}

/** One Sling POST that changes what differs in a configuration that is there, and keeps the values from before with it. */
export function changeEdge(
  author: string,
  conf: string,
  edge: EdgeConfiguration,
  wanted: WantedEdge,
  previous: Previous | undefined,
): Call {
  const fields = FIELDS.filter((field) => edge[EDGE_PROPERTY[field]] !== wanted[field]).map((field) =>
    propertyField(EDGE_PROPERTY[field], wanted[field]),
  );
  const record = edge[PREVIOUS_PROPERTY] === undefined ? [propertyField(PREVIOUS_PROPERTY, JSON.stringify(previous))] : [];
  return postToConfiguration(author, `${conf}/${EDGE_CONFIGURATION}`, [...record, ...fields]);
}

/**
 * One Sling POST that makes a configuration: a page with its properties. It begins with those of the base site's, but for
 * what is another's own: names, tokens, records, and what the authoring system sets itself.
 */
export function createEdge(
  author: string,
  conf: string,
  base: EdgeConfiguration | undefined,
  wanted: WantedEdge,
  info: Pick<ServiceInfo, 'technicalAccountProperty'>,
): Call {
  const fields: Field[] = [
    ['./jcr:primaryType', 'cq:Page'],
    ['./jcr:content/jcr:primaryType', 'cq:PageContent'],
    ...inheritedFields(base ?? {}, info),
    ...Object.entries(wantedProperties(wanted)).map(([name, value]): Field => [`./jcr:content/${name}`, value]),
  ];
  return { target: 'authoring', method: 'POST', address: `${author}${conf}/${EDGE_CONFIGURATION}`, body: { type: 'form', fields } };
}

const OWN: readonly string[] = [...Object.values(EDGE_PROPERTY), PREVIOUS_PROPERTY, 'siteAuthToken'];
const TAKEN = /^(jcr:title|sling:resourceType|cq:template|[A-Za-z][A-Za-z0-9]*)$/;

function inheritedFields(base: EdgeConfiguration, { technicalAccountProperty }: Pick<ServiceInfo, 'technicalAccountProperty'>): Field[] {
  return Object.entries(base).flatMap(([name, value]): Field[] => {
    if (!TAKEN.test(name) || OWN.includes(name) || name === technicalAccountProperty) return [];
    const field = `./jcr:content/${name}`;
    if (typeof value === 'string') return [[field, value]];
    if (typeof value === 'boolean')
      return [
        [field, String(value)],
        [`${field}@TypeHint`, 'Boolean'],
      ];
    return typeof value === 'number'
      ? [
          [field, String(value)],
          [`${field}@TypeHint`, 'Long'],
        ]
      : [];
  });
}

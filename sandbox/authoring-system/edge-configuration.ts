import { EDGE_CONFIGURATION, EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import { z } from 'zod';
import { parentOf, type Properties, type ReadableTree, type Resource, textOf, type Environment } from './content-store.ts';

const CONTENT = `/${EDGE_CONFIGURATION}/jcr:content`;

/** A configuration as the delivery uses it; `open`: the delivery requires no token. */
const Delivered = EdgeConfiguration.extend({ open: z.boolean().optional() });
export interface EffectiveConfiguration {
  readonly path: string;
  readonly values: z.infer<typeof Delivered>;
}

export function isEdgeConfiguration(path: string): boolean {
  return path.startsWith('/conf/') && path.endsWith(CONTENT);
}

/** The properties shown to a reader. */
export function shownProperties(resource: Resource, environment: Environment): Properties {
  if (!isEdgeConfiguration(resource.path)) return resource.properties;
  return {
    ...resource.properties,
    [TECHNICAL_ACCOUNT_PROPERTY]: shownAccount(resource.properties[TECHNICAL_ACCOUNT_PROPERTY], environment),
  };
}

/** The technical account that a configuration shows; the environment's own account may read and publish, whatever is shown. */
export function shownAccount(setByHand: unknown, environment: Environment): string {
  return typeof setByHand === 'string' && setByHand !== '' ? setByHand : environment.technicalAccount;
}

/** The page that sets `cq:conf` for a page: itself or its nearest ancestor. */
export function configuredBy(tree: ReadableTree, page: string): { page: string; conf: string } | undefined {
  for (let path = page; path !== '/'; path = parentOf(path)) {
    const content = tree.read(`${path}/jcr:content`);
    const conf = content === undefined ? undefined : textOf(content.properties, 'cq:conf');
    if (conf !== undefined && conf !== '') return { page: path, conf };
  }
  return undefined;
}

/** The effective Edge Delivery configuration of a page: that of its `cq:conf`, or of the nearest `/conf` ancestor that has one. */
export function configurationOf(tree: ReadableTree, page: string): EffectiveConfiguration | undefined {
  const start = configuredBy(tree, page)?.conf;
  for (let conf = start ?? '/conf'; conf.startsWith('/conf/'); conf = parentOf(conf)) {
    const content = tree.read(`${conf}${CONTENT}`);
    if (content !== undefined) return effective(content);
  }
  return undefined;
}

/** The configuration that names this site of this organization. */
export function configurationNamed(tree: ReadableTree, org: string, site: string): EffectiveConfiguration | undefined {
  return tree
    .named('/conf', 'jcr:content')
    .filter(({ path }) => isEdgeConfiguration(path))
    .map(effective)
    .find(({ values }) => values.owner === org && values.repo === site);
}

function effective(content: Resource): EffectiveConfiguration {
  return { path: content.path, values: Delivered.parse(content.properties) };
}

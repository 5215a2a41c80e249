import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import type { Bearer } from '../bearer.ts';
import type { ReadableTree } from '../content-store.ts';
import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import { configurationNamed, configurationOf, shownAccount } from '../edge-configuration.ts';
import type { EffectiveConfiguration } from '../edge-configuration.ts';
import type { Environment } from '../environments.ts';
import { pageMarkup } from './page-markup.ts';
import { sheet, sheetOf } from './sheet.ts';

export interface Delivered {
  readonly status: number;
  readonly media: 'text/html; charset=utf-8' | 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string;
}

/**
 * The delivery address `/bin/<connector>.delivery/<org>/<site>/<ref>/<rest>`: a page as markup, a sheet as JSON, to the technical
 * account of the environment or where the configuration is open. Org and site must be those of the page's configuration.
 */
export function deliver(tree: ReadableTree, environment: Environment, path: string, bearer: Bearer): Delivered | undefined {
  const match = DELIVERY.exec(path);
  if (match === null) return undefined;
  const [, org = '', site = '', rest = ''] = match;
  if (rest === CONFIGURATION_PATH) {
    const named = configurationNamed(tree, org, site);
    return (
      guarded(named, environment, bearer) ??
      json(sheet([{ key: 'admin.role.publish', value: shownAccount(named?.values[TECHNICAL_ACCOUNT_PROPERTY], environment) }]))
    );
  }
  const page = rest.replace(/\.(html|json)$/, '');
  const configuration = configurationOf(tree, page);
  const { owner, repo } = configuration?.values ?? {};
  if (owner !== org || repo !== site)
    return notFound(`${page} belongs to ${owner ?? 'no organization'}/${repo ?? 'no site'}, not to ${org}/${site}.`);
  const refusal = guarded(configuration, environment, bearer);
  if (refusal !== undefined) return refusal;
  if (rest.endsWith('.json')) {
    const rows = sheetOf(tree, page);
    return rows === undefined ? notFound(`${page} is not a spreadsheet page.`) : json(rows);
  }
  const markup = rest.endsWith('.html') && sheetOf(tree, page) === undefined ? pageMarkup(tree, page) : undefined;
  return markup === undefined ? notFound(`There is no page at ${page}.`) : { status: 200, media: 'text/html; charset=utf-8', body: markup };
}

function guarded(configuration: EffectiveConfiguration | undefined, environment: Environment, bearer: Bearer): Delivered | undefined {
  if (configuration === undefined) return notFound('No Edge Delivery configuration names this organization and site.');
  if (configuration.values.open === true) return undefined;
  if (bearer.kind === 'unverifiable') return text(503, bearer.reason);
  if (bearer.kind !== 'known') return text(401, 'This content is delivered only to the technical account: send its token.');
  return bearer.email === environment.technicalAccount
    ? undefined
    : text(403, `This content is delivered only to ${environment.technicalAccount}.`);
}

function notFound(sentence: string): Delivered {
  return text(404, sentence);
}

function text(status: number, sentence: string): Delivered {
  return { status, media: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}

function json(value: unknown): Delivered {
  return { status: 200, media: 'application/json', body: `${JSON.stringify(value, null, 2)}\n` };
}

const DELIVERY = /^\/bin\/[A-Za-z0-9_-]+\.delivery\/([^/]+)\/([^/]+)\/[^/]+(\/.+)$/;

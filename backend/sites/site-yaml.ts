import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import type { ChangeRequest, ConfigView } from '../changes/change.ts';
import { etagOf } from '../domain/canonical.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation, Outcome } from '../domain/operation.ts';
import type { SiteName } from './check-site.ts';
import { findSite, partNotFound } from './find-site.ts';
import { changeSite, siteRequest } from './site-document.ts';

type Rows = typeof endpoints;
type Write = ChangeRequest & { readonly params: SiteName; readonly body: string | undefined };

export const getSiteQueryYaml: Operation<Rows['getSiteQueryYaml']> = (context, { params }) => read(context, 'query', params);
export const putSiteQueryYaml: Operation<Rows['putSiteQueryYaml']> = (context, input) => write(context, 'query', input);
export const postSiteQueryYaml: Operation<Rows['postSiteQueryYaml']> = (context, input) => write(context, 'query', input);
export const deleteSiteQueryYaml: Operation<Rows['deleteSiteQueryYaml']> = (context, input) => remove(context, 'query', input);
export const getSiteSitemapYaml: Operation<Rows['getSiteSitemapYaml']> = (context, { params }) => read(context, 'sitemap', params);
export const putSiteSitemapYaml: Operation<Rows['putSiteSitemapYaml']> = (context, input) => write(context, 'sitemap', input);
export const postSiteSitemapYaml: Operation<Rows['postSiteSitemapYaml']> = (context, input) => write(context, 'sitemap', input);
export const deleteSiteSitemapYaml: Operation<Rows['deleteSiteSitemapYaml']> = (context, input) => remove(context, 'sitemap', input);

async function read(context: Context, name: SiteYamlName, params: SiteName): Promise<Outcome> {
  const text = viewOf(name).read((await findSite(context, params)).config);
  if (typeof text !== 'string') throw partNotFound(`${name}.yaml`, params);
  return { result: 'done', body: text, etag: etagOf(text), headers: MEDIA };
}

async function write(context: Context, name: SiteYamlName, input: Write): Promise<Outcome> {
  const { body } = input;
  if (body === undefined || body === '') {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: `Send the text of ${name}.yaml as text/yaml; DELETE removes it.` });
  }
  const outcome = await changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: `set-content/${name}.yaml`,
    view: viewOf(name),
    createsPart: true,
    next: (present) => ({ ...present?.config, [name]: { yaml: body } }),
  });
  return input.query.dryRun === true ? outcome : { ...outcome, headers: { ...outcome.headers, ...MEDIA } };
}

function remove(context: Context, name: SiteYamlName, input: Omit<Write, 'body'>): Promise<Outcome> {
  return changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: `delete-content/${name}.yaml`,
    view: viewOf(name),
    next: (present) => {
      if (present?.config[name] === undefined) throw partNotFound(`${name}.yaml`, input.params);
      const { [name]: _gone, ...rest } = present.config;
      return rest;
    },
  });
}

/** The text alone, which is no JSON. */
function viewOf(name: SiteYamlName): ConfigView {
  return { pointer: `/${name}/yaml`, read: (config) => config[name]?.yaml };
}

const MEDIA = { 'content-type': 'text/yaml; charset=utf-8' } as const;

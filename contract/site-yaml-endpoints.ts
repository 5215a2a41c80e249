import { z } from 'zod';
import { endpoint, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { DryRun } from './history.ts';
import { dryRun, SITE_READ_ERRORS, SITE_WRITE_ERRORS, SiteParams } from './site-endpoints.ts';
import { ChangeQuery } from './site-query.ts';
import { siteYamlPath, YamlText } from './site-yaml.ts';
import type { SiteYamlName } from './site-yaml.ts';

const YAML = ['text/yaml', 'application/yaml', 'text/x-yaml', 'application/x-yaml', 'text/plain'] as const;
const answered = ['text/yaml', 'application/json'] as const;
const errors = [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND', 'BODY_MISSING'] as const;
const tag = 'Sites' as const;

/** The definition of a site's indexes, and that of its sitemaps (docs/contract.md 3.14). */
export const siteYamlEndpoints = {
  getSiteQueryYaml: reading('query'),
  putSiteQueryYaml: writing('query', 'PUT'),
  postSiteQueryYaml: writing('query', 'POST'),
  deleteSiteQueryYaml: removing('query'),
  getSiteSitemapYaml: reading('sitemap'),
  putSiteSitemapYaml: writing('sitemap', 'PUT'),
  postSiteSitemapYaml: writing('sitemap', 'POST'),
  deleteSiteSitemapYaml: removing('sitemap'),
} as const;

function addressOf<N extends SiteYamlName>(name: N) {
  return { path: `/config/{org}/sites/{site}/content/${name}.yaml`, params: SiteParams } as const;
}

function reading(name: SiteYamlName) {
  return endpoint({
    method: 'GET',
    ...addressOf(name),
    query: NO_QUERY,
    permission: 'config:read',
    answers: {
      200: { description: `the text, as the hosts serve it at ${siteYamlPath(name)}`, media: ['text/yaml'], schema: z.string() },
    },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: `Read ${name}.yaml of a site`,
    preconditions: true,
  });
}

function writing<M extends 'PUT' | 'POST'>(name: SiteYamlName, method: M) {
  return endpoint({
    method,
    ...addressOf(name),
    query: ChangeQuery,
    body: { media: YAML, schema: YamlText, optional: true },
    permission: 'config:write',
    answers: {
      200: { description: 'stored, as it was sent', media: answered, schema: z.union([z.string(), DryRun]) },
      201: { description: 'made', media: ['text/yaml'], schema: z.string() },
    },
    errors,
    tag,
    summary: `Set ${name}.yaml of a site`,
    preconditions: true,
  });
}

function removing(name: SiteYamlName) {
  return endpoint({
    method: 'DELETE',
    ...addressOf(name),
    query: ChangeQuery,
    permission: 'config:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: [...SITE_READ_ERRORS, ...WRITE_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: `Remove ${name}.yaml of a site`,
    preconditions: true,
  });
}

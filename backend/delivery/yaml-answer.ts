import { SITE_YAML_NAMES, siteYamlPath } from '@repoless/contract/site-parts.ts';
import type { Site } from '@repoless/contract/site.ts';
import { createHash } from 'node:crypto';
import { contentAnswer, type ReadyAnswer } from './site-answers.ts';

/** query.yaml or sitemap.yaml of the site, in the place of a file of the code (docs/contract.md 3.14). */
export function yamlAnswer(site: Site, path: string): ReadyAnswer | undefined {
  const name = SITE_YAML_NAMES.find((one) => siteYamlPath(one) === path);
  const text = name === undefined ? undefined : site[name]?.yaml;
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  return contentAnswer('text/yaml; charset=utf-8', bytes, `"${createHash('sha256').update(bytes).digest('base64url')}"`);
}

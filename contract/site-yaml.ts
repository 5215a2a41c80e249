import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** What a site says of its indexes and sitemaps, each in a file of its own. */
export const SITE_YAML_NAMES = ['query', 'sitemap'] as const;
export type SiteYamlName = (typeof SITE_YAML_NAMES)[number];

/** The text as it was sent: comments and anchors are its author's. */
export const YamlText = z
  .string()
  .max(LIMITS.siteYamlLength, `A file has at most ${LIMITS.siteYamlLength} characters.`)
  .meta({ description: "YAML in the public service's form" });
export const SiteYaml = z.strictObject({ yaml: YamlText });

/** The path of the file on the hosts of the site. */
export function siteYamlPath(name: SiteYamlName): string {
  return `/helix-${name}.yaml`;
}

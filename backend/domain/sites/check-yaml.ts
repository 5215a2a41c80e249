import type { FieldError } from '#contract/errors.ts';
import type { Site, SiteInput } from '#contract/site.ts';
import { SITE_YAML_NAMES } from '#contract/site-yaml.ts';
import type { SiteYamlName } from '#contract/site-yaml.ts';
import { siteYamlProblem } from '#legacy/site-yaml.ts';

/** Why query.yaml and sitemap.yaml of a site cannot be stored (docs/contract.md 3.14). */
export function siteYamlErrors(input: SiteInput): FieldError[] {
  return SITE_YAML_NAMES.flatMap((name) => {
    const text = input[name]?.yaml;
    return text === undefined ? [] : yamlErrors(name, text, `/${name}/yaml`);
  });
}

export function yamlErrors(name: SiteYamlName, text: string, pointer: string): FieldError[] {
  const problem = siteYamlProblem(name, text);
  return problem === undefined ? [] : [{ pointer, detail: `${name}.yaml: ${problem}` }];
}

/** The files stay where a whole site is put in the place of another one that does not name them: they have calls of their own. */
export function withKeptYaml(input: SiteInput, present: Site | undefined): SiteInput {
  const kept = SITE_YAML_NAMES.filter((name) => input[name] === undefined && present?.[name] !== undefined);
  return { ...input, ...Object.fromEntries(kept.map((name) => [name, present?.[name]])) };
}

import { IndexConfig, SitemapConfig } from '@adobe/helix-shared-config';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import * as yaml from 'yaml';
import { formCheck, formProblem, SITE_YAML_LIMITS, SITE_YAML_FORMS, siteYamlProblemBy } from '@repoless/core/legacy/site-yaml.ts';
import { readYamlBy } from '@repoless/core/legacy/read-yaml.ts';
import { composeSiteYaml } from '@repoless/service/composition/site-yaml.ts';
import { siteYamlVariants, type Variant } from '../support/site-yaml-variants.ts';

declare module '@adobe/helix-shared-config' {
  /** Members missing in its declarations. */
  interface Read {
    withSource(text: string): this;
    loadConfig(): Promise<void>;
    getErrors(): unknown[];
    validate(): Promise<boolean>;
  }
  export const IndexConfig: new () => Read;
  export const SitemapConfig: new () => Read;
}

const library = { Ajv, addFormats: addFormats.default };
const FITS = { query: formCheck(library, SITE_YAML_FORMS.query), sitemap: formCheck(library, SITE_YAML_FORMS.sitemap) };
const problemOf = ({ name, text }: Variant) =>
  siteYamlProblemBy({ yaml, readYamlBy, formProblem, fits: FITS[name] }, { text, limits: SITE_YAML_LIMITS });

/** Whether the public service's library accepts a file. */
async function isAcceptedByLibrary({ name, text }: Variant): Promise<boolean> {
  const config = (name === 'query' ? new IndexConfig() : new SitemapConfig()).withSource(text);
  try {
    await config.loadConfig();
    return config.getErrors().length === 0 && (await config.validate());
  } catch {
    return false;
  }
}

it('Each of many variants of the files is accepted or refused as the public service does', { timeout: 240_000 }, async () => {
  const variants = siteYamlVariants();
  const [accepted, refused, different] = [[] as Variant[], [] as Variant[], [] as (Variant & { isAccepted: boolean; problem: string })[]];
  for (const variant of variants) {
    const isAccepted = await isAcceptedByLibrary(variant);
    const problem = problemOf(variant);
    (isAccepted ? accepted : refused).push(variant);
    if (isAccepted !== (problem === undefined)) different.push({ ...variant, isAccepted, problem: problem ?? 'accepted' });
  }
  const figures = `${variants.length} variants: ${accepted.length} accepted and ${refused.length} refused by the library, ${different.length} different here`;
  expect(different, figures).toEqual([]);
  expect(Math.min(accepted.length, refused.length), figures).toBeGreaterThan(150);
});

it('A thread finds the same problems as its parts', { timeout: 120_000 }, async () => {
  const siteYamlProblem = composeSiteYaml();
  for (const variant of siteYamlVariants().filter((_, at) => at % 40 === 0)) {
    const { name, text } = variant;
    expect(await siteYamlProblem('wknd', name, text), text).toBe(problemOf(variant));
  }
});

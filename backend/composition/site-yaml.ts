import { LIMITS } from '@repoless/contract/limits.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import { readYamlBy } from '@repoless/core/legacy/read-yaml.ts';
import { formCheck, formProblem, SITE_YAML_LIMITS, SITE_YAML_FORMS, siteYamlProblemBy } from '@repoless/core/legacy/site-yaml.ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { createFairShare } from '../domain/fair-share.ts';
import type { SiteYamlProblem } from '../domain/ports.ts';
import { createThreads, ThreadEnded } from '../threads/in-thread.ts';

/**
 * Reads query.yaml and sitemap.yaml as the public service does, each on a separate thread, because of tens of thousands of tokens,
 * expanding references, and patterns on long texts. The result is cached by text, which is tried before it is stored, and may come for many
 * sites.
 */
export function composeSiteYaml(): SiteYamlProblem {
  const runInThread = createThreads(LIMITS.siteYamlAtOnce);
  const share = createFairShare({
    atOnce: LIMITS.siteYamlAtOnce,
    perShare: LIMITS.siteYamlOfOrg,
    waitingPerShare: LIMITS.siteYamlWaiting,
    waiting: LIMITS.siteYamlWaiting * 10,
    workName: 'definitions of indexes and sitemaps',
  });
  const known = new LRUCache<string, { readonly problem: string | undefined }>({ max: KNOWN });
  return async (org, name, text) => {
    const key = createHash('sha256').update(`${name}\n${text}`).digest('base64');
    const cached = known.get(key);
    if (cached !== undefined) return cached.problem;
    const found = await share.run(org, async () => {
      try {
        return await runInThread({ script: SCRIPT, input: inputOf(name, text), deadline: LIMITS.siteYamlTime });
      } catch (error) {
        if (error instanceof ThreadEnded) return TOO_MUCH;
        throw error;
      }
    });
    const problem = typeof found === 'string' ? found : undefined;
    // A timeout also depends on the machine.
    if (problem !== TOO_MUCH) known.set(key, { problem });
    return problem;
  };
}

const require = createRequire(import.meta.url);

function inputOf(name: SiteYamlName, text: string): unknown {
  return {
    text,
    form: SITE_YAML_FORMS[name],
    limits: SITE_YAML_LIMITS,
    modules: { yaml: require.resolve('yaml'), ajv: require.resolve('ajv'), formats: require.resolve('ajv-formats') },
  };
}

const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { modules, form, ...input } = workerData.input;
${readYamlBy.toString()}
${formProblem.toString()}
${formCheck.toString()}
${siteYamlProblemBy.toString()}
const fits = formCheck({ Ajv: require(modules.ajv).Ajv, addFormats: require(modules.formats).default }, form);
parentPort.postMessage(siteYamlProblemBy({ yaml: require(modules.yaml), readYamlBy, formProblem, fits }, input));
`;
const TOO_MUCH = 'It takes too long, or too much memory, to be read. Use fewer aliases "*" and merges "<<", or split it.';
const KNOWN = 200;

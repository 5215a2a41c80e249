import { expect } from 'vitest';
import { Rollout, RolloutSiteList } from '@repoless/contract/rollout.ts';
import { callsAs, OPERATOR, type TestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';

/** Calls about the rollouts of the organization wknd, by default as its operator. */
export function rolloutCalls(backend: TestBackend) {
  const { done, read } = callsAs(backend, OPERATOR);
  const addressOf = (id: string) => `/config/wknd/rollouts/${id}`;
  const get = async (id: string) => Rollout.parse(await read(`${addressOf(id)}.json`));
  return {
    get,
    register: (site: string, more: object = {}) =>
      done('PUT', `/config/wknd/sites/${site}.json`, siteInput(site, 'wknd', { public: publicPaths(`/content/wknd/${site}`), ...more })),
    /** A site without the times that the service sets. */
    async siteOf(site: string): Promise<Readonly<Record<string, unknown>>> {
      const { lastModified: _lastModified, ...config } = Object(await read(`/config/wknd/sites/${site}.json`));
      return config;
    },
    start: async (body: object) => Rollout.parse((await done('POST', '/config/wknd/rollouts.json', body)).json()).id,
    order: (id: string, what: 'stop' | 'resume' | 'undo', as = OPERATOR) => backend.call('POST', `${addressOf(id)}/${what}.json`, { as }),
    ordered: (id: string, what: 'stop' | 'resume' | 'undo', as = OPERATOR) =>
      callsAs(backend, as).done('POST', `${addressOf(id)}/${what}.json`),
    /** Waits until the service has no work left for it. */
    async rested(id: string): Promise<Rollout> {
      await expect.poll(async () => (await get(id)).state, { timeout: 20_000, interval: 20 }).not.toMatch(/running|undoing/);
      return await get(id);
    },
    rows: async (id: string, query = '') => RolloutSiteList.parse(await read(`${addressOf(id)}/sites.json${query}`)).sites,
  };
}

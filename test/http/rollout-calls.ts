import { expect } from 'vitest';
import { Rollout, RolloutSiteList } from '@repoless/contract/rollout.ts';
import { OPERATOR, type TestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';

/** Calls about the rollouts of the organization wknd, by default as its operator. */
export function rolloutCalls(backend: TestBackend) {
  const as = OPERATOR;
  const place = (id: string) => `/config/wknd/rollouts/${id}`;
  const get = async (id: string) => Rollout.parse((await backend.call('GET', `${place(id)}.json`, { as })).json());
  const order = (id: string, what: 'stop' | 'resume' | 'undo', who = as) => backend.call('POST', `${place(id)}/${what}.json`, { as: who });
  return {
    get,
    order,
    async register(site: string, more: object = {}): Promise<void> {
      const body = siteInput(site, 'wknd', { public: publicPaths(`/content/wknd/${site}`), ...more });
      const answer = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as, body });
      expect(answer.status, answer.text).toBe(201);
    },
    /** A site without the times that the service sets. */
    async siteOf(site: string): Promise<Readonly<Record<string, unknown>>> {
      const { lastModified: _lastModified, ...config } = Object(
        (await backend.call('GET', `/config/wknd/sites/${site}.json`, { as })).json(),
      );
      return config;
    },
    async start(body: object): Promise<string> {
      const answer = await backend.call('POST', '/config/wknd/rollouts.json', { as, body });
      expect(answer.status, answer.text).toBe(201);
      return Rollout.parse(answer.json()).id;
    },
    async ordered(id: string, what: 'stop' | 'resume' | 'undo', who = as): Promise<void> {
      const answer = await order(id, what, who);
      expect(answer.status, answer.text).toBe(200);
    },
    /** Waits until the service has no work left for it. */
    async rested(id: string): Promise<Rollout> {
      await expect.poll(async () => (await get(id)).state, { timeout: 20_000, interval: 20 }).not.toMatch(/running|undoing/);
      return await get(id);
    },
    async rows(id: string, query = ''): Promise<RolloutSiteList['sites']> {
      return RolloutSiteList.parse((await backend.call('GET', `${place(id)}/sites.json${query}`, { as })).json()).sites;
    },
  };
}

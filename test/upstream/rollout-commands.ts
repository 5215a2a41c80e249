import type { Rollout, RolloutSite } from '@repoless/contract/rollout.ts';
import { expect } from 'vitest';
import type { HostedWorld } from './hosted-world.ts';

export const ROLLOUTS = '/config/wknd/rollouts.json';

/** Commands to rollouts through the bridge, and their outcomes. */
export function rolloutCommands(world: HostedWorld) {
  let since = 0;
  /** Before each test. */
  const reset = () => {
    since = world.hosted.requests.length;
    world.later = 0;
  };
  /** Requests to the hosted service since then. */
  const requests = (method?: string) => world.hosted.requests.slice(since).filter((one) => method === undefined || one.method === method);
  const sites = async (count: number, parts: (index: number) => object = () => ({})): Promise<string[]> => {
    const paths: string[] = [];
    for (let index = 0; index < count; index += 1) paths.push(await world.site(parts(index)));
    since = world.hosted.requests.length;
    return paths.map((path) => path.split('/').at(-1)?.replace('.json', '') ?? '');
  };
  const ok = async <T>(answer: ReturnType<typeof world.call>, status = 200): Promise<T> => {
    const { status: actual, text, body } = await answer;
    expect(actual, text).toBe(status);
    return body as T;
  };
  const start = async (body: object) => await ok<Rollout>(world.call('POST', ROLLOUTS, { title: 'Test', ...body }), 201);
  const one = (id: string) => `/config/wknd/rollouts/${id}.json`;
  const command = async (id: string, name: string) => await world.call('POST', one(id).replace('.json', `/${name}.json`));
  const rowsOf = async (id: string) =>
    (await ok<{ sites: RolloutSite[] }>(world.call('GET', one(id).replace('.json', '/sites.json')))).sites;
  const configOf = async (site: string) => await ok<Record<string, unknown>>(world.call('GET', `/config/wknd/sites/${site}.json`));
  /** The rollout when no work on it is left. */
  const ended = async (id: string): Promise<Rollout> => {
    for (;;) {
      const rollout = await ok<Rollout>(world.call('GET', one(id)));
      if (rollout.state !== 'running' && rollout.state !== 'undoing') return rollout;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { reset, requests, sites, ok, start, one, command, rowsOf, configOf, ended };
}

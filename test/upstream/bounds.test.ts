import { createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import { exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();

test('an overview of 1,000 sites is one list of the hosted service', async () => {
  for (let index = 0; index < 1000; index += 1)
    world.hosted.change('PUT', `/config/wknd/sites/many-${index}.json`, exampleSite(`many-${index}`));
  const since = world.hosted.requests.length;
  const service = 'http://service.invalid';
  const client = createClient({
    service,
    token: async () => undefined,
    renew: async () => ({ kind: 'refused', status: 401, message: '' }),
    fetch: async (input, init) => {
      const answer = await world.call(
        init?.method ?? 'GET',
        (input instanceof Request ? input.url : input.toString()).slice(service.length),
      );
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });
  const all = await createServicePort(client).allSites('wknd');
  if (all.state !== 'known') throw new Error(JSON.stringify(all));
  const sites = organizationSites(all.value);
  expect(sites.filter(({ name, repository }) => name.startsWith('many-') && repository === 'github:wknd/wknd')).toHaveLength(1000);
  expect(world.hosted.requests.slice(since).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /config/wknd/sites.json?details=true',
  ]);
});

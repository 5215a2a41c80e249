import { expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';

it('refuses a caller who asks too much of an org, and nobody else', async () => {
  const backend = await startTestBackend({ orgs: ['wknd', 'acme'], settings: { RATE_LIMIT: '0.01', RATE_LIMIT_BURST: '4' } });
  try {
    const list = (org: string, as: string) => backend.call('GET', `/config/${org}/sites.json`, { as });
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await list('wknd', OPERATOR));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    const refused = answers.at(-1);
    expect(refused?.headers).toMatchObject({ 'x-error-code': 'RATE_LIMITED', 'x-ratelimit-limit': '4', 'x-ratelimit-rate': '0.01' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await list('acme', OPERATOR)).status).toBe(200);
    expect((await list('wknd', 'sam.stranger@example.com')).status).toBe(403);
  } finally {
    await backend.stop();
  }
});

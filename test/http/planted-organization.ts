import { expect } from 'vitest';
import type { TestAnswer, TestRequest } from '../support/ask.ts';
import { siteBody, OPERATOR } from '../support/backend.ts';
import type { plantedValues } from '../support/planted.ts';

type Planted = ReturnType<typeof plantedValues>;
type Call = (method: string, path: string, request?: Omit<TestRequest, 'method'>) => Promise<TestAnswer>;

export const ORG = '/config/wknd';
export const SITE = `${ORG}/sites/planted`;
export const TIMES = { created: '2026-01-01T00:00:00Z', lastModified: '2026-01-01T00:00:00Z' };
const UNREACHABLE = 'http://127.0.0.1:9';

/** Settings that are credentials. The partners are unreachable, and the mail server accepts no login, so that all requests fail. */
export function failingCredentials(plant: Planted['plant'], mailServer: string): Record<string, string> {
  return {
    IDP_ISSUER: UNREACHABLE,
    IDP_CLIENT_ID: 'repoless',
    IDP_CLIENT_SECRET: plant('IDP_CLIENT_SECRET'),
    BUILD_MANAGEMENT: UNREACHABLE,
    BUILD_MANAGEMENT_KEY: plant('BUILD_MANAGEMENT_KEY'),
    CONTENT_TOKEN: plant('CONTENT_TOKEN'),
    GITHUB_WEBHOOK_SECRET: plant('GITHUB_WEBHOOK_SECRET'),
    SMTP_URL: mailServer.replace('//', `//repoless:${plant('SMTP_URL')}@`),
    MAIL_FROM: 'repoless@example.com',
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${plant('OTEL_EXPORTER_OTLP_HEADERS')}`,
  };
}

interface Ground {
  readonly planted: Planted;
  /** A call as the operator, whose answer must not contain a secret. */
  readonly callRecorded: Call;
  /** A call whose answer shows a value once. */
  readonly call: Call;
  readonly codeHost: string;
  readonly receiver: string;
}

/** Creates one of every kind of secret. Returns their identifiers. */
export async function plantOrganization({
  planted: { plant, register },
  callRecorded,
  call,
  codeHost,
  receiver,
}: Ground): Promise<Readonly<Record<string, string>>> {
  const done = async (method: string, path: string, body?: unknown): Promise<TestAnswer> => {
    const answer = await callRecorded(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  // A value that is shown once, in this answer.
  const shownOnce = async (name: string, path: string, body: object = {}): Promise<{ readonly id: string; readonly value: string }> => {
    const answer = await call('POST', path, { body });
    expect(answer.status, `${path}: ${answer.text}`).toBe(201);
    const { id, value, secret = '' } = answer.json() as { id: string; value?: string; secret?: string };
    return { id, value: register(name, value ?? secret.replace('whsec_', '')) };
  };
  await done('PUT', `${ORG}.json`, {});
  await done('PUT', `${ORG}/profiles/shared.json`, {
    secrets: { sent: { id: 'sent', type: 'hashed', ...TIMES, value: plant('a secret in a profile that was sent') } },
  });
  const cdn = { prod: { host: 'www.example.com', type: 'fastly', serviceId: 'one', authToken: plant('a credential of a CDN') } };
  await done('PUT', `${SITE}.json`, {
    ...siteBody('wknd', 'planted'),
    code: { owner: 'wknd', repo: 'wknd' },
    title: plant('a title'),
    extends: { profile: 'shared' },
    public: { theme: 'dark' },
    cdn,
    access: { site: { allow: [OPERATOR] } },
    secrets: { sent: { id: 'sent', type: 'hashed', ...TIMES, value: plant('a secret in a site that was sent') } },
    tokens: { theirs: { id: 'theirs', hash: plant('the hash of a token of the public service') } },
  });
  const source = {
    type: 'byogit',
    owner: '100',
    repo: '200',
    url: codeHost,
    raw_url: codeHost,
    secretId: 'cm-byog',
  };
  await done('PUT', `${ORG}/sites/external.json?unchecked=true`, {
    ...siteBody('wknd', 'external'),
    code: { owner: '100', repo: '200', source },
  });
  await done('POST', `${ORG}/sites/external/secrets/cm-byog.json`, { value: plant('the secret of a repository') });
  await done('POST', `${SITE}/secrets/own.json`, { value: plant('a secret of a site') });
  await done('POST', `${ORG}/profiles/shared/secrets/own.json`, { value: plant('a secret of a profile') });
  await done('POST', `${ORG}/secrets/own.json`, { value: plant('a secret of an organization') });
  const secret = await shownOnce('a generated secret', `${SITE}/secrets.json`);
  const token = await shownOnce('a site token', `${SITE}/tokens.json`);
  const key = await shownOnce('a key of a site', `${SITE}/apiKeys.json`, { roles: ['config'] });
  await shownOnce('a key of a profile', `${ORG}/profiles/shared/apiKeys.json`);
  const orgKey = await shownOnce('a key of an organization', `${ORG}/apiKeys.json`, { roles: ['admin'] });
  const hook = await shownOnce('a generated secret of a webhook', `${ORG}/subscriptions.json`, {
    channel: { type: 'webhook', url: receiver },
  });
  const given = `whsec_${Buffer.from(plant('a secret of a webhook')).toString('base64')}`;
  // It is also shown once.
  await call('POST', `${ORG}/subscriptions.json`, {
    body: { channel: { type: 'webhook', url: `${receiver}/given`, secret: given } },
  });
  const letters = await done('POST', `${ORG}/subscriptions.json`, { channel: { type: 'email', to: OPERATOR } });
  const { id: letter } = letters.json() as { id: string };
  for (const subscription of [hook.id, letter]) await callRecorded('POST', `${ORG}/subscriptions/${subscription}/test.json`);
  const started = await call('POST', '/auth/device', {
    body: 'client_id=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  register('the code of a device', String((started.json() as { device_code?: string }).device_code));
  // Each change adds a version, and one is restored.
  await done('POST', `${SITE}/cdn.json`, { prod: { ...cdn.prod, authToken: plant('an earlier credential of a CDN') } });
  await done('POST', `${SITE}/cdn.json`, cdn);
  await done('POST', `${SITE}.json?restoreVersion=1`);
  await callRecorded('POST', '/code/wknd/external/main/*');
  return {
    subscription: hook.id,
    letter,
    key: key.value,
    siteKey: key.id,
    orgKey: orgKey.id,
    secret: secret.id,
    token: token.id,
    opens: token.value,
  };
}

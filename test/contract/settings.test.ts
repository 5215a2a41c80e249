import { inspect } from 'node:util';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addressesOf, readSettings, SettingsProblem } from '#backend/config.ts';
import { VERSION } from '#backend/version.ts';

it('needs no setting on one machine', () => {
  const { publicAddress, hosts } = addressesOf(readSettings({}), 4000);
  expect(publicAddress).toBe('http://localhost:4000');
  expect(hosts).toEqual({ protocol: 'http', preview: 'preview.localhost:4000', live: 'live.localhost:4000' });
});

it('reports all wrong settings at once, each with its name and a sentence, and no value', () => {
  const wrong = {
    PORT: 'eighty',
    PUBLIC_ADDRESS: 'example.com',
    ALLOWED_ORIGINS: 'https://a.example.com, nonsense',
    IDP_ISSUER: 'https://idp.example.com',
    IDP_CLIENT_SECRET: 'hush-hush',
    TRUSTED_ISSUERS: '{',
    INTERNAL_ADDRESSES: 'perhaps',
    BODY_LIMIT: '-1',
  };
  const read = () => readSettings(wrong);
  expect(read).toThrow(SettingsProblem);
  for (const name of ['PORT', 'PUBLIC_ADDRESS', 'ALLOWED_ORIGINS', 'TRUSTED_ISSUERS', 'INTERNAL_ADDRESSES', 'BODY_LIMIT'])
    expect(read).toThrow(new RegExp(`${name}: [A-Z].*`));
  expect(read).not.toThrow(/hush-hush/);
  expect(() => readSettings({ IDP_ISSUER: 'https://idp.example.com' })).toThrow(/IDP_CLIENT_ID: .*\n.*IDP_CLIENT_SECRET: /);
});

it('reads lists and takes an empty variable for none', () => {
  const settings = readSettings({ ALLOWED_ORIGINS: 'https://a.example.com/, http://localhost:4001', OPERATORS: '', PORT: ' ' });
  expect(settings.ALLOWED_ORIGINS).toEqual(['https://a.example.com', 'http://localhost:4001']);
  expect(settings.OPERATORS).toEqual([]);
  expect(settings.PORT).toBe(4000);
});

it('never prints a secret', () => {
  const settings = readSettings({
    IDP_ISSUER: 'https://idp.example.com',
    IDP_CLIENT_ID: 'service',
    IDP_CLIENT_SECRET: 'hush-hush',
    DATABASE_URL: 'postgres://service:hush-hush@db.example.com/repoless',
  });
  for (const printed of [JSON.stringify(settings), inspect(settings, { depth: 5 }), String(settings.DATABASE_URL)])
    expect(printed).not.toContain('hush-hush');
  expect(settings.IDP_CLIENT_SECRET.reveal()).toBe('hush-hush');
});

it('knows its own version', async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION });
});

import { inspect } from 'node:util';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  BUILD_MANAGEMENT_SECRET_SETTINGS,
  BUILD_MANAGEMENT_SETTING_NAMES,
  readBuildManagementSettings,
} from '@repoless/service/build-management/settings.ts';
import { addressesOf, readSettings, SECRET_SETTINGS, SETTING_NAMES } from '@repoless/service/config.ts';
import { SettingsProblem } from '@repoless/service/setting-forms.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

it('requires no setting on one machine', () => {
  const { publicAddress, hosts } = addressesOf(readSettings({}), 4000);
  expect(publicAddress).toBe('http://localhost:4000');
  expect(hosts).toEqual({ protocol: 'http', preview: 'preview.localhost:4000', live: 'live.localhost:4000' });
});

it('reports all invalid settings at once, each with its name and a message, but no value', () => {
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
  expect(read).toThrow(/IDP_CLIENT_ID: Set this too/);
  expect(read).not.toThrow(/hush-hush/);
  expect(() => readSettings({ IDP_ISSUER: 'https://idp.example.com' })).toThrow(/IDP_CLIENT_ID: .*\n.*IDP_CLIENT_SECRET: /);
  expect(() => readSettings({ UPSTREAM_KEYS_FILE: 'keys' })).toThrow(/UPSTREAM_KEYS_FILE: Set UPSTREAM too/);
});

it('names the settings that build management requires, and their purpose', () => {
  const read = () => readBuildManagementSettings({});
  expect(read).toThrow(SettingsProblem);
  expect(read).toThrow(/^These settings are wrong:\n {2}BUILD_MANAGEMENT_KEY: Set it, .*BUILD_MANAGEMENT_KEY_FILE: .* identify each other/);
});

it.each<[program: string, read: (environment: Record<string, string>) => unknown, names: readonly string[]]>([
  ['the service', readSettings, SETTING_NAMES],
  ['build management', readBuildManagementSettings, BUILD_MANAGEMENT_SETTING_NAMES],
])('has its own message for each setting of %s, and none of the schema’s', (_program, read, names) => {
  for (const value of ['\u0001 ~ nonsense', '-1', '1e99']) {
    const wrong = () => read({ BUILD_MANAGEMENT_KEY: 'x'.repeat(16), ...Object.fromEntries(names.map((name) => [name, value])) });
    expect(wrong).toThrow(/LOG_LEVEL: Write one of fatal, /);
    expect(wrong).not.toThrow(/Invalid|expected|Too (?:big|small)/);
  }
});

it.each<[program: string, read: (environment: Record<string, string>) => unknown, bounds: Readonly<Record<string, string>>]>([
  [
    'the service',
    readSettings,
    {
      PORT: 'from 0 to 65535',
      AUTHOR_TIMEOUT: '2 or more',
      BODY_LIMIT: '1024 or more',
      CODE_RETRY_DELAY: 'from 1 to 60000',
      ORG_SITES: '0 or more; 0 for no limit',
      ORG_SYNCS_AT_ONCE: 'from 1 to 4',
      RATE_LIMIT: '0 or more; 0 for no limit',
      RATE_LIMIT_BURST: '1 or more',
      OVERLOAD_DELAY: '0 or more; 0 for no limit',
      OTEL_BSP_SCHEDULE_DELAY: '1 or more',
      OTEL_TRACES_SAMPLER_ARG: 'from 0 to 1',
    },
  ],
  ['build management', readBuildManagementSettings, { EXTERNAL_REPOSITORIES: '0 or more; 0 for none', METRICS_PORT: 'from 0 to 65535' }],
])('takes numbers of %s in decimal digits only, and names the bounds in a refusal', (_program, read, bounds) => {
  const withNumbers = (number: string) => () =>
    read({ BUILD_MANAGEMENT_KEY: 'x'.repeat(16), ...Object.fromEntries(Object.keys(bounds).map((name) => [name, number])) });
  for (const number of ['0x1', '1e0', '+1', '-1', '1_000', 'Infinity']) {
    for (const [name, range] of Object.entries(bounds))
      expect(withNumbers(number), number).toThrow(new RegExp(`${name}: Write a .+ in decimal digits, ${range}\\.`));
  }
});

it('reads decimals only where they mean something', () => {
  expect(readSettings({ RATE_LIMIT: '0.5', OTEL_TRACES_SAMPLER_ARG: '0.25' })).toMatchObject({
    RATE_LIMIT: 0.5,
    OTEL_TRACES_SAMPLER_ARG: 0.25,
  });
  expect(() => readSettings({ RATE_LIMIT_BURST: '1.5' })).toThrow('RATE_LIMIT_BURST: ');
});

it('reads lists, and treats an empty variable as unset', () => {
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

it.each([
  ['the service', readSettings, SECRET_SETTINGS],
  ['build management', readBuildManagementSettings, BUILD_MANAGEMENT_SECRET_SETTINGS],
])('%s reads each of its secrets from a file, and reports no value of an invalid one', async (_program, read, secrets) => {
  const folder = await temporaryDirectory();
  const others = {
    IDP_ISSUER: 'https://idp.example.com',
    IDP_CLIENT_ID: 'service',
    S3_ACCESS_KEY_ID: 'key',
    MAIL_FROM: 'service@example.com',
  };
  const addresses: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://service:hush-hush@db.example.com/repoless',
    SMTP_URL: 'smtp://service:hush-hush@mail.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hush-hush',
  };
  const value = (name: string) => addresses[name] ?? `hush-hush-${name}`;
  const files: Record<string, string> = {};
  for (const name of secrets) {
    files[`${name}_FILE`] = join(folder.path, name);
    await writeFile(join(folder.path, name), `${value(name)}\n`);
  }
  const settings: Readonly<Record<string, unknown>> = read({ ...others, ...files });
  for (const name of secrets) expect(settings[name]).toEqual(new SealedValue(value(name)));

  const both = () => read({ ...others, ...files, BUILD_MANAGEMENT_KEY: 'hush-hush-hush-hush' });
  expect(both).toThrow(/BUILD_MANAGEMENT_KEY_FILE: Set this or BUILD_MANAGEMENT_KEY, not both\./);
  expect(both).not.toThrow(/hush/);
  await writeFile(join(folder.path, 'DATABASE_URL'), '\n');
  const unread = () => read({ ...others, ...files, BUILD_MANAGEMENT_KEY_FILE: join(folder.path, 'none') });
  expect(unread).toThrow(/DATABASE_URL_FILE: Name a file .*\n.*BUILD_MANAGEMENT_KEY_FILE: Name a file that can be read/);
  await folder.remove();
});

it('reports invalid settings of traces without their headers', () => {
  const read = () =>
    readSettings({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_HEADERS: 'hush-hush',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });
  for (const name of ['PROTOCOL', 'ENDPOINT', 'HEADERS']) expect(read).toThrow(`OTEL_EXPORTER_OTLP_${name}: `);
  for (const name of ['SAMPLER', 'SAMPLER_ARG']) expect(read).toThrow(`OTEL_TRACES_${name}: `);
  expect(read).not.toThrow(/hush/);
});

it('knows its own version', async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION });
});

import { extensionPolicy } from '@repoless/contract/extension.ts';
import { probes } from '@repoless/contract/service.ts';
import {
  BUILD_MANAGEMENT_SECRET_SETTINGS,
  BUILD_MANAGEMENT_SETTING_NAMES,
  readBuildManagementSettings,
} from '@repoless/service/build-management/settings.ts';
import { readSettings, SECRET_SETTINGS, SETTING_NAMES } from '@repoless/service/config.ts';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = new URL('../../deploy/', import.meta.url).pathname;
const read = (file: string) => readFile(join(ROOT, file), 'utf8');
const SERVICE = [...SETTING_NAMES, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
const BUILD_MANAGEMENT = [...BUILD_MANAGEMENT_SETTING_NAMES, ...BUILD_MANAGEMENT_SECRET_SETTINGS.map((name) => `${name}_FILE`)];
/** Settings that Node.js and the system read. */
const OTHERS = ['PATH', 'NODE_ENV'];

const Part = z.object({ secretSettings: z.array(z.string()), settings: z.record(z.string(), z.unknown()) });
const Values = z.object({ addresses: z.record(z.string(), z.string()), service: Part, buildManagement: Part });
const Container = z.object({
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const Compose = z.object({
  services: z.record(z.string(), Container),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
});

const values = Values.parse(parse(await read('helm/repoless/values.yaml')));
const compose = Compose.parse(parse(await read('compose/compose.yaml'), { merge: true }));
const dockerfile = await read('images/Dockerfile');

/** Each file of a deployment, with the settings that it names. */
describe.each([
  ['service', SERVICE, values.service, 'service-1', 'repoless'],
  ['build-management', BUILD_MANAGEMENT, values.buildManagement, 'build-management', 'repoless-build-management'],
] as const)('the deployment of %s', (part, known, { settings, secretSettings }, container, unit) => {
  it.each([
    [
      'the chart',
      async () => [...Object.keys(settings), ...namesIn(await read(`helm/repoless/templates/${part}.yaml`), /^ {2}([A-Z\d_]+): /gm)],
    ],
    ['the secrets of the chart', async () => secretSettings.map((name) => `${name}_FILE`)],
    ['compose', async () => Object.keys(compose.services[container]?.environment ?? {})],
    ['the settings of compose', async () => namesIn(await read(`compose/${compose.services[container]?.env_file}`), /^([A-Z\d_]+)=/gm)],
    ['the systemd unit', async () => namesIn(await read(`systemd/${unit}.service`), /(?<=^Environment=.*)\b([A-Z\d_]+)=/gm)],
    ['the image', async () => namesIn(dockerfile, /(?<=^ENV .*)\b([A-Z\d_]+)=/gm)],
  ])('%s names only existing settings', async (_file, named) => {
    const names = await named();
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !known.includes(name) && !OTHERS.includes(name))).toEqual([]);
  });

  it('uses the port of its program in every file', async () => {
    const port = String(
      part === 'service' ? readSettings({}).PORT : readBuildManagementSettings({ BUILD_MANAGEMENT_KEY: 'x'.repeat(16) }).PORT,
    );
    expect(dockerfile).toContain(`FROM program AS ${part}\nENV PORT=${port}\nEXPOSE ${port}\n`);
    expect(compose.services[container]?.environment['PORT']).toBe(port);
    expect(await read('compose/proxy.conf')).toContain(`${container}:${port}`);
    const template = await read(`helm/repoless/templates/${part}.yaml`);
    expect(namesIn(template, /(?:PORT: '|name: http, containerPort: )(\d+)/g)).toEqual([port, port]);
  });
});

it('probes only existing addresses', async () => {
  const known: readonly string[] = Object.values(probes).map(({ path }) => path);
  const probed = namesIn(await read('helm/repoless/templates/_names.tpl'), /httpGet: \{ path: (\S+),/g);
  expect(new Set(probed)).toEqual(new Set(['/live', '/ready']));
  expect([...probed, ...namesIn(dockerfile, /process\.env\.PORT \+ '([^']+)'/g)].filter((path) => !known.includes(path))).toEqual([]);
});

it('declares every file, secret and volume that compose uses', async () => {
  const { services, secrets, volumes } = compose;
  const used = Object.values(services);
  expect(new Set(used.flatMap((one) => one.secrets))).toEqual(new Set(Object.keys(secrets)));
  for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`secrets/${name}`);
  const sources = used.flatMap((one) => one.volumes).map((volume) => volume.split(':')[0] ?? '');
  expect(new Set(sources.filter((source) => !source.startsWith('./')))).toEqual(new Set(Object.keys(volumes)));
  for (const source of sources.filter((one) => one.startsWith('./'))) await access(join(ROOT, 'compose', source));
  for (const { environment, secrets: own } of used) {
    const named = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(named.map(([, file]) => file.replace('/run/secrets/', '')).filter((name) => !own.includes(name))).toEqual([]);
  }
});

it('serves the extension with the content security policy of the programs’ addresses', async () => {
  const { service = '', buildManagement = '', previewDomain = '', liveDomain = '' } = values.addresses;
  const info = { protocol: 'https', previewDomain, liveDomain, buildManagement } as const;
  const policy = extensionPolicy({ service, info, hosts: ['https://experience.adobe.com'] });
  expect(await read('compose/extension/headers.conf')).toContain(`add_header Content-Security-Policy "${policy}" always;`);
  expect(JSON.parse(await read('compose/extension/settings.json'))).toEqual({ service });
  const settings = await read('compose/service.env');
  for (const line of [`PUBLIC_ADDRESS=${service}`, `PREVIEW_DOMAIN=${previewDomain}`, `LIVE_DOMAIN=${liveDomain}`])
    expect(settings).toContain(`${line}\n`);
});

it('has the project’s version in the chart', async () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(ROOT, '../package.json'), 'utf8')));
  expect(parse(await read('helm/repoless/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

it('restricts both programs alike under systemd, and passes each its keys', async () => {
  const [service, buildManagement] = await Promise.all(
    ['repoless', 'repoless-build-management'].map((name) => read(`systemd/${name}.service`)),
  );
  const restrictions = (unit = '') => unit.slice(unit.indexOf('Restart='));
  expect(restrictions(service)).toBe(restrictions(buildManagement));
  for (const unit of [service, buildManagement]) {
    const handed = namesIn(unit ?? '', /^LoadCredential=([^:]+):/gm);
    expect(new Set(namesIn(unit ?? '', /(?<=^Environment=.*)=%d\/(\S+)/gm))).toEqual(new Set(handed));
  }
});

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startBuildManagementTarget } from '../../fuzz/build-management-target.ts';
import { type FuzzedService, startFuzzedService } from '../../fuzz/target.ts';
import { ask } from '../../support/ask.ts';
import { OPERATOR } from '../../support/backend.ts';
import { buildBackend } from '../../support/child-backend.ts';
import { startReceiver } from '../../support/receiver.ts';
import { expandReferences } from '../../support/expand-references.ts';
import { installPython } from '../python-environment.ts';

const SITE = '/config/wknd/sites/wknd-de';
const PROFILE = '/config/wknd/profiles/default';
const Made = z.object({ id: z.string() });

/**
 * Starts the service with what its document's examples name: an organization with people and keys, a site, a profile, secrets, versions.
 */
async function startServiceWorld(): Promise<Tried & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-schemathesis-'));
  const others = await startReceiver((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const service = await startFuzzedService(folder, others.address, { GITHUB_WEBHOOK_SECRET: 'the-secret-of-the-webhook' });
  const { address } = service.child;
  // Replaces the examples' code host by the one here.
  const withLocalCodeHost = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('https://github.com', others.address));
  const real = await fill(service, withLocalCodeHost);
  return {
    address,
    document: withExamples(withLocalCodeHost((await ask(address, '/openapi.json')).json()), real),
    config: 'service.toml',
    variables: { TOKEN: await service.tokenOf(OPERATOR), TOKEN_TO_END: await service.tokenOf('sam@example.com') },
    async stop() {
      await service.stop();
      await others.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the names of what it creates. Calls that remove something get separate things, so that later calls find theirs. */
async function fill({ call }: FuzzedService, withLocalCodeHost: (value: unknown) => unknown): Promise<Names[]> {
  const write = (method: string, path: string, example: string, media?: string) =>
    call(method, path, withLocalCodeHost(BODY_EXAMPLES[example]), media);
  const create = async (path: string, example: string, body = BODY_EXAMPLES[example]) =>
    Made.parse((await call('POST', path, body)).json()).id;
  for (const profile of ['default', 'spare']) await write('PUT', `/config/wknd/profiles/${profile}.json`, 'putProfile');
  for (const site of ['wknd-de', 'spare']) {
    const body = {
      ...Object(BODY_EXAMPLES['putSite']),
      content: { source: { url: `https://content.example.com/${site}`, type: 'markup' } },
    };
    await call('PUT', `/config/wknd/sites/${site}.json?unchecked=true`, withLocalCodeHost(body));
  }
  for (const part of SITE_PART_NAMES) await write('POST', `${SITE}/${part}.json?confirm=true`, partEndpointId('Site', part, 'set'));
  for (const part of PROFILE_PART_NAMES) await write('POST', `${PROFILE}/${part}.json`, partEndpointId('Profile', part, 'set'));
  await write('PUT', `${SITE}/content/query.yaml`, 'putSiteQueryYaml', 'text/yaml');
  await write('PUT', `${SITE}/content/sitemap.yaml`, 'putSiteSitemapYaml', 'text/yaml');
  await write('POST', `${SITE}/secrets/cm-byog.json`, 'setSecret');
  await write('POST', '/config/wknd/groups/editors.json', 'setOrgGroup');
  const user = await create('/config/wknd/users.json', 'addOrgUser');
  const spareUser = await create('/config/wknd/users.json', 'addOrgUser', { email: 'spare@example.com', roles: ['author'] });
  const keys = async (all: string, example: string) => [await create(all, example), await create(all, example)] as const;
  const [ofOrg, spareOfOrg] = await keys('/config/wknd/apiKeys.json', 'createOrgApiKey');
  const [ofSite, spareOfSite] = await keys(`${SITE}/apiKeys.json`, 'createApiKey');
  return [
    // Otherwise every call would be about a state that never existed.
    { at: /^/, names: { 'if-match': '*', 'if-none-match': '"another"' } },
    { at: /^DELETE .*\/(?:sites|profiles)\/\{\w+\}\.json$/, names: { site: 'spare', profile: 'spare' } },
    { at: /^DELETE .*\/users\//, names: { user: spareUser } },
    { at: /^DELETE .*\{site\}\/apiKeys\//, names: { id: spareOfSite } },
    { at: /^DELETE .*\{org\}\/apiKeys\//, names: { id: spareOfOrg } },
    { at: /\{site\}\/apiKeys\//, names: { id: ofSite } },
    { at: /\{org\}\/apiKeys\//, names: { id: ofOrg } },
    { at: /\/users\//, names: { user } },
  ];
}

/** Build management between the service and a git vendor, with a repository; the examples of its document name them. */
async function startBuildManagementWorld(): Promise<Tried & { stop(): Promise<void> }> {
  const {
    child,
    document,
    credentials,
    known: [cloneUrl = ''],
    names,
    stop,
  } = await startBuildManagementTarget();
  const authorization = (path: string) => credentials(path).findLast((headers) => 'authorization' in headers)?.['authorization'] ?? '';
  // Calls that remove a repository, or change its credentials, get a separate one, so that later calls find theirs.
  const token = credentials('/organizations/')[0]?.['x-auth-token'] ?? '';
  const spareUrl = cloneUrl.replace('storefront', 'spare');
  const body = { programId: '100', name: 'spare', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl: spareUrl };
  const request = { method: 'POST', headers: { 'x-auth-token': token }, body };
  const spare = ExternalRepository.parse((await ask(child.address, '/organizations/wknd/repositories', request)).json());
  return {
    address: child.address,
    document: withExamples(document, [
      { at: /^DELETE |\/(?:link|retry|webhook)$/, names: { repository: spare.repositoryId } },
      { at: /^/, names: names() },
    ]),
    config: 'build-management.toml',
    variables: {
      TOKEN: token,
      STANDING: authorization('/repository-status/').replace('Bearer ', ''),
      CONTENT: authorization('/raw/'),
    },
    stop,
  };
}

let program: string;
beforeAll(async () => {
  await buildBackend();
  program = await installSchemathesis();
}, 180_000);

/** Milliseconds. The goal is three minutes on two free cores. */
const TIMEOUT = 600_000;

it.each([
  { name: 'the service', start: startServiceWorld, requests: 8000 },
  { name: 'build management', start: startBuildManagementWorld, requests: 500 },
])(
  '$name conforms to its API description, whatever the request',
  async ({ start, requests }) => {
    const world = await start();
    try {
      const { printed, ...report } = await runSchemathesis(program, world);
      console.log(`${report.test_cases.generated} requests on ${report.operations.tested} operations`);
      expect(report.failures, printed).toEqual([]);
      expect(report.exit_code, printed).toBe(0);
      expect(report.complete).toBe(true);
      // Guards against missing data, and a document that is only partly read, in which nothing could be found.
      expect(report.operations.tested).toBe(report.operations.selected);
      expect(report.test_cases.generated).toBeGreaterThan(requests);
    } finally {
      await world.stop();
    }
  },
  TIMEOUT,
);

interface Tried {
  /** The program's address. */
  readonly address: string;
  /** Its OpenAPI document. */
  readonly document: unknown;
  /** A file beside this one. */
  readonly config: string;
  /** Variables that the file refers to. */
  readonly variables: Readonly<Record<string, string>>;
}

const Report = z.object({
  complete: z.boolean(),
  exit_code: z.number(),
  operations: z.object({ selected: z.number(), tested: z.number(), errored: z.number() }),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
});
type Report = z.infer<typeof Report> & { /** Output of Schemathesis. */ readonly printed: string };

/** Installs Schemathesis in the versions of `requirements.txt`, once. Returns its program. */
async function installSchemathesis(): Promise<string> {
  return join(await installPython('schemathesis', new URL('requirements.txt', import.meta.url)), 'st');
}

/** Tests every operation of a document on the program that it describes. */
async function runSchemathesis(program: string, { address, document, config, variables }: Tried): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-schemathesis-'));
  try {
    const [schema, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
    await writeFile(schema, JSON.stringify(document));
    const options = ['--config-file', new URL(config, import.meta.url).pathname, 'run', schema, '--url', address];
    const printed = await output(program, [...options, '--report-json-path', report, '--no-color'], { folder, variables });
    const found: unknown = JSON.parse(await readFile(report, 'utf8').catch(() => Promise.reject(new Error(printed))));
    return { ...Report.parse(found), printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The output of a program, whatever its exit code. */
function output(program: string, options: readonly string[], { folder, variables }: { folder: string; variables: Tried['variables'] }) {
  return new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', PYTHONHASHSEED: '0', ...variables };
    const child = spawn(program, options, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(printed));
  });
}

const Parameter = z.looseObject({ name: z.string(), in: z.string() });
const Body = z.looseObject({ content: z.record(z.string(), z.unknown()).optional() });
const Operation = z.looseObject({ parameters: z.array(Parameter).optional(), responses: z.record(z.string(), Body) });
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** Values of path parameters and headers for some operations. */
interface Names {
  /** A pattern of operations, each as `DELETE /config/{org}/sites/{site}.json`. */
  readonly at: RegExp;
  readonly names: Readonly<Record<string, string>>;
}

/**
 * A document whose examples name existing things. Of several names for a parameter the first applies. YAML answers have no schema here:
 * they are texts, but Schemathesis parses them first.
 */
function withExamples(document: unknown, known: readonly Names[]): unknown {
  const parsed = Document.parse(expandReferences(document));
  for (const [path, item] of Object.entries(parsed.paths)) {
    for (const [method, { parameters = [], responses }] of Object.entries(item)) {
      for (const { content } of Object.values(responses)) if (content?.['text/yaml'] !== undefined) content['text/yaml'] = {};
      const names = known.filter(({ at }) => at.test(`${method.toUpperCase()} ${path}`)).toReversed();
      const withLocalCodeHost: Record<string, string> = Object.assign({}, ...names.map((one) => one.names));
      for (const parameter of parameters) {
        const name = parameter.in === 'query' ? undefined : withLocalCodeHost[parameter.name];
        if (name !== undefined) parameter['example'] = name;
      }
    }
  }
  return parsed;
}

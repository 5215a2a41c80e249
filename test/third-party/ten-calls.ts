import createClient from 'openapi-fetch';
import type { paths as BuildPaths } from './build-management.ts';
import type { paths as DryRunPaths } from './dry-run.ts';
import type { components, operations, paths } from './service.ts';

// Compiled with clients generated from the documents, and run by `test/http/generated-client.test.ts`: address, token.
const [address = '', token = ''] = process.argv.slice(2);
const options = { baseUrl: address, headers: { 'x-auth-token': token } };
const client = createClient<paths>(options);

const lantern = { path: { org: 'wknd', site: 'lantern' } };
const orchard = { path: { org: 'wknd', site: 'orchard' } };
const source: components['schemas']['ByogitSource'] = {
  type: 'byogit',
  url: 'https://build.example.com/api',
  raw_url: 'https://build.example.com/raw',
  owner: '100',
  repo: '200',
};
const held: components['schemas']['CodeSource'] = { owner: '100', repo: '200', source: { ...source, secretId: 'cm-byog' } };
const access: components['schemas']['Access'] = {
  admin: {
    role: { admin: ['operator@example.com'], config_admin: ['p100-e200@techacct.example.com'] },
    requireAuth: 'auto',
  },
};
const mappings = ['/content/lantern/:/', '/content/lantern/configuration:/.helix/config.json'];

function contentOf(site: string): components['schemas']['ContentSource'] {
  const url = `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${site}/main`;
  return { source: { type: 'markup', url, suffix: '.html' } };
}

const statuses = [
  await client.PUT('/config/{org}/sites/{site}.json', {
    params: lantern,
    body: { version: 1, code: held, content: contentOf('lantern') },
  }),
  await client.POST('/config/{org}/sites/{site}.json', {
    params: orchard,
    body: { code: { ...held, source }, content: contentOf('orchard'), access },
  }),
  await client.POST('/config/{org}/sites/{site}/public.json', {
    params: lantern,
    body: { paths: { mappings, includes: ['/content/lantern/'] } },
  }),
  await client.POST('/config/{org}/sites/{site}/access.json', { params: lantern, body: access }),
  await client.POST('/config/{org}/sites/{site}/code.json', { params: lantern, body: held }),
  await client.POST('/config/{org}/sites/{site}/secrets/{name}.json', {
    params: { path: { ...lantern.path, name: 'cm-byog' } },
    body: { value: 'the-secret' },
  }),
  await client.GET('/job/{org}/{site}/{ref}/code', { params: { path: { ...lantern.path, ref: 'main' } } }),
  await client.GET('/login'),
  await client.GET('/profile'),
].map(({ response }) => response.status);

// What is read is typed by the document: a member of a site, and the code of a refusal.
const { data: site } = await client.GET('/config/{org}/sites/{site}.json', { params: lantern });
const { error } = await client.GET('/config/{org}/sites/{site}.json', { params: { path: { org: 'wknd', site: 'nowhere' } } });

const { data: links } = await client.GET('/login');
const { data: known } = await client.GET('/profile');

// A change is tried before it is made, and a site is removed.
const headers: components['schemas']['Headers'] = { '/**': [{ key: 'x-frame-options', value: 'DENY' }] };
const dryRun = await createClient<DryRunPaths>(options).POST('/config/{org}/sites/{site}/headers.json', {
  params: { ...orchard, query: { dryRun: 'true' } },
  body: headers,
});
const { data: changed } = await client.POST('/config/{org}/sites/{site}/headers.json', { params: orchard, body: headers });
const { response: removed } = await client.DELETE('/config/{org}/sites/{site}.json', { params: orchard });

// A call by its identifier, and the other program.
type Stored = operations['setSiteAccess']['responses'][200]['content']['application/json'];
const stored = access satisfies Stored;
const build = createClient<BuildPaths>({ baseUrl: address });
async function repositories(org: string): Promise<string[]> {
  const { data } = await build.GET('/organizations/{org}/repositories', { params: { path: { org } } });
  return data?.repositories.map(({ name, vendor }) => `${name} ${vendor satisfies string}`) ?? [];
}

process.stdout.write(
  JSON.stringify({
    statuses,
    site: [site?.name, site?.code?.owner, site?.access?.admin?.requireAuth],
    refusal: error?.code,
    signedIn: [known?.profile.email, Object.keys(links?.links ?? {})],
    tried: [dryRun.data?.dryRun, dryRun.data?.status, dryRun.data?.diff.map(({ op, path }) => `${op} ${path}`)],
    changed: changed?.['/**']?.map(({ key, value }) => `${key}: ${value}`),
    removed: removed.status,
    known: [typeof repositories, stored.admin?.requireAuth],
  }),
);

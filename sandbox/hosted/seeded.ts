import { createPathMapper, sourceName } from '@repoless/contract/content-paths.ts';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { request } from 'node:http';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Addresses } from '../addresses.ts';
import { MEDIA } from '../web.ts';
import { seededOrganization, seedSites } from '../seed/seed-sites.ts';
import type { FileOf } from './deliver.ts';
import { type HeadOf, type Hosted, startHosted } from './start-hosted.ts';
import { type Json, objectAt, textAt, textsAt } from './store.ts';

/** The settings of a backend in front of the stand-in. */
export function upstreamEnvironment(hosted: Hosted): Record<string, string> {
  return {
    UPSTREAM: hosted.address,
    UPSTREAM_SUCCESSOR: hosted.successor,
    UPSTREAM_PREVIEW: hosted.previewDomain,
    UPSTREAM_LIVE: hosted.liveDomain,
  };
}

/**
 * The stand-in with the organization and the sites of the sandbox. It accepts the tokens of the sandbox's identity provider as those of the
 * authoring system, its hosts serve code and pages from the other stand-ins, and the code of its sites is synchronized.
 */
export async function startSeededHosted(port: number, addresses: Addresses, fleet = 0): Promise<Hosted> {
  const { org, body } = seededOrganization;
  const sites = seedSites(addresses, fleet).map(({ org: owner, site, body: config }) => ({ org: owner, site, body: config as Json }));
  const hosted = await startHosted({
    port,
    seed: {
      organizations: {
        [org]: { ...body, users: (body.users ?? []).map((user) => ({ id: user.email.replaceAll(/[^a-z]/g, '-'), ...user })) },
      },
      sites,
    },
    isForeignToken: await signedBy(addresses.identity),
    fileOf: fileFrom(addresses),
    headOf: headFrom(addresses),
  });
  const repositories = new Set(sites.map((site) => textAt(site.body, 'code', 'repo')));
  for (const repository of repositories) await hosted.push(org, repository, 'main');
  return hosted;
}

const Keys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });
const Discovery = z.object({ jwks_uri: z.string() });

/** Whether the identity provider signed a token; its expiry is checked elsewhere. */
async function signedBy(issuer: string): Promise<(token: string) => boolean> {
  const read = async (address: string): Promise<unknown> => (await fetch(address)).json();
  const { jwks_uri: address } = Discovery.parse(await read(`${issuer}/.well-known/openid-configuration`));
  const keys = Keys.parse(await read(address)).keys.map((key) => createPublicKey({ key: key as JsonWebKey, format: 'jwk' }));
  return (token) => {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const signed = Buffer.from(`${header}.${claims}`);
    return keys.some((key) => verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')));
  };
}

/** A file of the code, otherwise a page of the authoring system. */
function fileFrom({ codeHost }: Addresses): FileOf {
  return async (document, path) => {
    const [owner, repo] = [textAt(document, 'code', 'owner'), textAt(document, 'code', 'repo')];
    const code = /\.[a-z]+$/.test(path) ? await read(`${codeHost}/raw/${owner}/${repo}/main${path}`) : undefined;
    if (code?.status === 200) return { ...code, type: MEDIA[extname(path)] ?? code.type };
    const [mappings, includes] = ['mappings', 'includes'].map((name) => textsAt(document, 'public', 'paths', name));
    const { url, suffix } = objectAt(document, 'content', 'source');
    for (const content of createPathMapper({ mappings, ...(includes?.length === 0 ? {} : { includes }) }).contentPaths(path)) {
      const name = sourceName(content, path, typeof suffix === 'string' ? suffix : undefined);
      const page = await read(`${String(url)}${name.path}`);
      if (page.status === 200) return page;
    }
    return undefined;
  };
}

/** The commit of a branch, over git's protocol. */
function headFrom({ codeHost }: Addresses): HeadOf {
  return async (owner, repo, branch) => {
    const { body } = await read(`${codeHost}/${owner}/${repo}.git/info/refs?service=git-upload-pack`);
    const line = body.split('\n').find((one) => one.endsWith(` refs/heads/${branch}`));
    return line === undefined ? undefined : /[0-9a-f]{40} /.exec(line)?.[0].trim();
  };
}

/** Not every machine resolves names below `localhost`: the connection goes to loopback, and the Host header has the name. */
function read(address: string): Promise<{ readonly status: number; readonly body: string; readonly type: string }> {
  const { host, port, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then((body) => resolve({ status, body, type: headers['content-type'] ?? 'text/html; charset=utf-8' }), reject);
    })
      .on('error', reject)
      .end();
  });
}

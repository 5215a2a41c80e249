import { getConfig, getSite, listSites } from '../bench/backend/calls.ts';
import { PREVIEW_DOMAIN, PUBLIC_ADDRESS } from '../bench/backend/place.ts';
import { ORG, siteName } from '../bench/backend/site-input.ts';
import type { Call } from '../bench/load/call.ts';
import { soakSite } from './soak-site.ts';
import type { SoakWorld } from './soak-world.ts';

/** What is asked for in the long run: how often of a thousand, and of which program. */
interface Kind {
  readonly name: string;
  readonly of1000: number;
  readonly program: 'service' | 'buildManagement';
  call(count: number): Call;
}

export interface Mixed {
  readonly name: string;
  readonly program: Kind['program'];
  readonly call: Call;
}

/** Calls as they come to a service in use: mostly config.json of many hosts, some files, some work of administrators. In: how many went before. */
export function createMix(world: SoakWorld, sites: number): (count: number) => Mixed {
  const admin = new URL(PUBLIC_ADDRESS).host;
  const headers = { 'x-auth-token': world.token };
  // Not one after the other, so that neighbours in the database are no neighbours in time.
  const site = (count: number) => siteName((count * 7919) % sites);
  const ask = (path: string, host = admin): Call => ({ method: 'GET', host, path, headers });
  const kinds: readonly Kind[] = [
    { name: 'config.json', of1000: 700, program: 'service', call: (count) => getConfig(site(count)) },
    { name: 'file of the code', of1000: 100, program: 'service', call: (count) => fileOf(site(count)) },
    { name: 'GET of a site', of1000: 80, program: 'service', call: (count) => getSite(site(count), world.token) },
    { name: 'PUT of a site', of1000: 60, program: 'service', call: (count) => put(world, site(count), count) },
    { name: 'job of a site', of1000: 20, program: 'service', call: (count) => ask(`/job/${ORG}/${site(count)}/main/code`) },
    { name: 'page of the list', of1000: 10, program: 'service', call: () => listSites(world.token, 'limit=100') },
    {
      name: 'history of a site',
      of1000: 10,
      program: 'service',
      call: (count) => ask(`/config/${ORG}/sites/${site(count)}/versions.json`),
    },
    { name: 'events', of1000: 5, program: 'service', call: () => ask(`/config/${ORG}/events.json`) },
    { name: 'checks', of1000: 5, program: 'service', call: () => ask(`/config/${ORG}/checks.json`) },
    {
      name: 'repositories of build management',
      of1000: 10,
      program: 'buildManagement',
      call: () => ask(`/organizations/${ORG}/repositories`, `127.0.0.1:${world.buildManagement}`),
    },
  ];
  const places = kinds.flatMap((kind) => Array.from({ length: kind.of1000 }, () => kind));
  return (count) => {
    const kind = places[(count * 617) % places.length];
    if (kind === undefined) throw new Error('The mix is empty.');
    return { name: kind.name, program: kind.program, call: kind.call(count) };
  };
}

function fileOf(site: string): Call {
  return { method: 'GET', host: `main--${site}--${ORG}.${PREVIEW_DOMAIN}`, path: '/blocks/file-7.bin' };
}

/** Each write changes what is delivered. */
function put({ token, codeHost }: SoakWorld, site: string, count: number): Call {
  return {
    method: 'PUT',
    host: new URL(PUBLIC_ADDRESS).host,
    path: `/config/${ORG}/sites/${site}.json?unchecked=true`,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(soakSite(codeHost, site, `soak ${count}`)),
  };
}

import { type Call, read } from './call.ts';
import { asMap, type Raw } from './documents.ts';

/** A site as listed by the hosted service. */
export type Listed = Raw & { readonly name: string };

/** Sorted by name. Always requested with details: one answer serves all. */
export async function listedSites(call: Call): Promise<readonly Listed[]> {
  const { org = '' } = call.params;
  return await call.remembered(`sites ${org}`, async () => {
    const all = items(await read(call, 'sites', { org }, { details: true }), 'sites');
    return all.map((site) => ({ ...site, name: String(site.name) })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  });
}

export async function siteNames(call: Call): Promise<string[]> {
  return (await listedSites(call)).map(({ name }) => name);
}

/** The entries of a list of the hosted service, in any of its forms. */
export function items(answer: unknown, name: string): readonly (Raw & { readonly name: unknown })[] {
  const list: unknown = Array.isArray(answer) ? answer : Reflect.get(Object(answer), name);
  return Array.isArray(list)
    ? (list as unknown[]).flatMap((one) =>
        typeof one === 'object' && one !== null && 'name' in one ? [one as Raw & { name: unknown }] : [],
      )
    : Object.entries(asMap(list)).map(([key, one]) => ({ name: key, ...one }));
}

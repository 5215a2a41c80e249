import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { profileInUse, Refusal } from '@repoless/contract/refusal.ts';
import { SITES_READ_FOR_LIST } from '@repoless/contract/service.ts';
import { type Call, read } from './call.ts';
import { type Kind, load, PROFILE, SITE, siteNames } from './document.ts';
import { type Raw, valueAt } from './documents.ts';

/** Rules of the contract that the hosted service does not have, by the code of our own service's refusal: for docs/hosted-service.md. */
export const UNENFORCED_RULES = {
  CONTENT_ROOT_TAKEN: 'Two sites may have the same content root. The list of sites has no mappings, so there is no warning.',
  CONTENT_OF_ANOTHER: 'The address of the content may name a site other than the one that has it. A warning names both.',
  PROFILE_IN_USE: 'In an organization of more than 40 sites, a profile is removed even if sites extend it. A warning says so.',
  PROFILE_MISSING: 'A site may extend a profile that does not exist. A warning names it.',
} as const;

/** Refuses a site without a content or code source: on the hosted service it inherits none from its profile. */
export function requireSources(site: Raw): void {
  const errors = ['content', 'code'].flatMap((name) =>
    site[name] === undefined ? [{ pointer: `/${name}`, detail: `A site on the hosted service needs "${name}" of its own.` }] : [],
  );
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

/**
 * What our own service would refuse of a change, as sentences. Reads once more if the site extends another profile than before, and reads
 * the sites if a profile is removed.
 */
export async function unheldRules(call: Call, kind: Kind, before: Raw | undefined, after: Raw | undefined): Promise<string[]> {
  if (kind === PROFILE && before !== undefined && after === undefined) return await refuseUsed(call);
  if (kind !== SITE) return [];
  return [...contentOfAnother(call, before, after), ...firstRoles(before, after), ...(await missingProfile(call, before, after))];
}

function contentOfAnother({ params: { org, site } }: Call, before: Raw | undefined, after: Raw | undefined): string[] {
  const [was, url] = [before, after].map((one) => valueAt(one, ['content', 'source', 'url']));
  const named = typeof url === 'string' && url !== was ? parseDeliveryAddress(url) : undefined;
  if (named === undefined || (named.org === org && named.site === site)) return [];
  return [
    `The content address belongs to site "${named.org}/${named.site}", but this is site "${org}/${site}": its pages may not be found.`,
  ];
}

/** The first role granted closes what was open to everyone (`requireAuth`: auto). */
function firstRoles(before: Raw | undefined, after: Raw | undefined): string[] {
  const [had, has] = [before, after].map((one) => Object.keys(Object(valueAt(one, ['access', 'admin', 'role']))).length > 0);
  if (before === undefined || after === undefined || had === true || has !== true) return [];
  return [
    'Until now, anybody could preview and publish. From now on, a script that does so without a sign-in needs an API key with the role publish.',
  ];
}

/** The hosted service removes a profile even if sites extend it. Does not read a large number of sites; returns a warning instead. */
async function refuseUsed(call: Call): Promise<string[]> {
  const { org = '', profile = '' } = call.params;
  const names = await siteNames(call);
  if (names.length > SITES_READ_FOR_LIST)
    return ['There are too many sites to check which of them extend this profile. Those that do lose what they have from it.'];
  const extending = await Promise.all(
    names.map(async (site) => {
      const found = await load({ ...call, params: { org, site } }, SITE);
      return valueAt(found?.raw, ['extends', 'profile']) === profile ? [site] : [];
    }),
  );
  const sites = extending.flat();
  if (sites.length > 0) throw profileInUse(profile, sites);
  return [];
}

async function missingProfile(call: Call, before: Raw | undefined, after: Raw | undefined): Promise<string[]> {
  const [was, profile] = [before, after].map((site) => valueAt(site, ['extends', 'profile']));
  if (typeof profile !== 'string' || profile === was) return [];
  const { org = '' } = call.params;
  const isThere = await read(call, 'profile', { org, profile }).then(
    (found) => found !== undefined,
    // Callers who may not read it are not told that it is missing.
    (error: unknown) => error instanceof Refusal,
  );
  return isThere ? [] : [`The profile "${org}/${profile}" does not exist: the site takes nothing from it.`];
}

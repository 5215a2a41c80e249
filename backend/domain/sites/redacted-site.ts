import type { Site } from '#contract/site.ts';

/** What everybody may see of a site whose reads are open: nothing of people, keys and secrets (service contract, section 3). */
export function redactedSite({ access: _access, groups: _groups, code, cdn, ...rest }: Site): Site {
  return {
    ...rest,
    ...(code === undefined ? {} : { code: withoutSecret(code) }),
    ...(cdn === undefined ? {} : { cdn: withoutCredentials(cdn) }),
  };
}

function withoutSecret(code: NonNullable<Site['code']>): Site['code'] {
  if (code.source?.type !== 'byogit') return code;
  const { secretId: _secretId, ...source } = code.source;
  return { ...code, source };
}

/** The production part takes any key, among them the credentials by which caches are emptied: only what is known is shown. */
function withoutCredentials({ prod, ...rest }: NonNullable<Site['cdn']>): Site['cdn'] {
  if (prod === undefined) return rest;
  const { type, host, route } = prod;
  return {
    ...rest,
    prod: { ...(type === undefined ? {} : { type }), ...(host === undefined ? {} : { host }), ...(route === undefined ? {} : { route }) },
  };
}

import type { Org, OrgInput } from '@repoless/contract/org.ts';
import { changeDocument } from '../changes/change-document.ts';
import { changeRequest } from '../changes/change.ts';
import type { Change, ChangeRequest, DocumentKind, Named, StoredDocument } from '../changes/change.ts';
import type { Context } from '../domain/context.ts';
import type { Outcome } from '../domain/operation.ts';
import { ORG_PLACE } from '../owners/owner.ts';
import type { StoredApiKey } from '../domain/ports.ts';
import { isStranger, permit, requirePerson, unclaimed } from '../access/permit.ts';
import { keepAdmins } from '../access/prevent-lockout.ts';
import { checkOrg, claimedOrg, replacedOrg } from './complete-org.ts';
import { issuedKeys, withIssuedKeys, withoutIssuedKeys } from './issued-keys.ts';
import { WHOLE_ORG } from './org-view.ts';
import { alreadyClaimed } from './prove-claim.ts';

export type OrgChange = Change<Named, Org, OrgInput>;

interface PresentOrg extends StoredDocument<Org> {
  /** Those of its API keys that were issued here, where the call is about the whole of it. */
  readonly issued: readonly StoredApiKey[];
}

/** Organizations. One is made by a claim, which is proven before. */
const ORGS: DocumentKind<Named, Org, OrgInput, PresentOrg> = {
  subject: ({ org }) => ({ kind: 'org', org }),
  title: ({ org }) => `The organization "${org}"`,
  ownName: ({ org }) => org,
  secretsOf: ({ org }) => ({ org, site: ORG_PLACE }),
  ownsSecrets: true,
  async load({ caller }, reads, { name, view }) {
    const [org, usage] = await Promise.all([reads.org(name.org), reads.usage(name.org)]);
    if (org === undefined) return { org, present: undefined, usage };
    const issued = view === undefined ? await issuedKeys(caller, reads, org.config) : [];
    return { org, present: { ...org, issued }, usage, shown: (config) => withIssuedKeys(config, issued) };
  },
  permit({ caller }, { name, permission, creates }, { org }) {
    // Two claims at once: the second one has proven that it may know.
    if (org !== undefined && creates === true && isStranger(caller, org.config)) throw alreadyClaimed(org.config);
    return permit(caller, permission, { name: name.org, org });
  },
  missing: ({ caller }, { org }) => unclaimed(org, caller),
  complete({ context, change, input, present }) {
    if (present === undefined) return claimedOrg(context, change.name.org, input, requirePerson(context.caller));
    return replacedOrg(context, present.config, withoutIssuedKeys(input, present.issued));
  },
  checkOthers({ context, change: { answers, view, query }, present, config }, bytes) {
    checkOrg(config, answers ?? view ?? WHOLE_ORG);
    if (present !== undefined) keepAdmins(context.caller, config, query.confirm === true);
    return { more: { versions: 1, bytes } };
  },
  async put(_context, writes, { name: { org } }, { config, etag }, version) {
    if (config !== null && etag !== undefined) await writes.putOrg({ org, config, etag, version });
  },
};

export function changeOrg(context: Context, change: OrgChange): Promise<Outcome> {
  return changeDocument(context, ORGS, change);
}

/** What every change of an organization takes over from its call. */
export function orgRequest({ params: { org }, ...asked }: ChangeRequest & { readonly params: Named }) {
  return { name: { org }, ...changeRequest(asked) };
}

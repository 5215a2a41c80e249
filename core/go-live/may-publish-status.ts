import { memberMatches } from '@repoless/contract/access.ts';
import type { Site } from '@repoless/contract/site.ts';
import { blocks, done, open } from './gate.ts';
import type { Gate, Standing } from './gate.ts';
import type { Turn } from './host-status.ts';

/** The technical account is among those who may configure and publish, and it is the one that this environment publishes with. */
export function mayPublishStatus(gate: Gate, site: Site | undefined, { hasCome }: Turn): Standing {
  const { organization, siteName, technicalAccount: account, ownAccount, publishAccount } = gate;
  const listed = site?.access?.admin?.role?.config_admin ?? [];
  const request = `GET /config/${organization}/sites/${siteName}/access.json`;
  const evidence = { request, answer: listed.join(', ') };
  const data = { account, site: siteName, organization };
  const own = [ownAccount, publishAccount].find((name) => name !== undefined && name.toLowerCase() !== account.toLowerCase());
  if (account !== '' && own !== undefined) return blocks('technical-account-mismatch', { ...data, own }, evidence);
  const isListed = account !== '' && listed.some((entry) => memberMatches(entry, [account.toLowerCase()]));
  if (isListed) return done(evidence);
  return hasCome ? blocks('technical-account-unlisted', data, evidence) : open();
}

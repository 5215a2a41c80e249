import { example } from './step.ts';
import type { Step } from './step.ts';

const user = { params: { user: '$USER' } };
const key = { params: { id: '$KEY' } };
const siteKey = { params: { id: '$SITE_KEY' } };

/** Users and groups of the organization, API keys, and what the audit trail says of all that. */
export const PEOPLE_EXAMPLES: readonly Step[] = [
  example('addOrgUser', { keep: { USER: 'id' } }),
  example('getOrgUser', user),
  example('setOrgUser', user),
  example('listOrgUsers'),
  example('deleteOrgUser', user),
  example('setOrgGroup'),
  example('getOrgGroup'),
  example('listOrgGroups'),
  example('deleteOrgGroup'),
  example('setOrgAccessAdmin'),
  example('getOrgAccessAdmin'),
  example('deleteOrgAccessAdmin'),

  example('createOrgApiKey', { keep: { KEY: 'id' } }),
  example('getOrgApiKey', key),
  example('listOrgApiKeys'),
  example('deleteOrgApiKey', key),
  example('createApiKey', { keep: { SITE_KEY: 'id' } }),
  example('getApiKey', siteKey),
  example('listApiKeys'),
  example('deleteApiKey', siteKey),

  example('getLog', { query: 'limit=2' }),
  example('getUsage'),
  example('getSiteLog', { query: 'limit=2' }),
  example('getPublicLog', { query: 'since=1h&limit=2' }),
  example('verifyLog'),
];

import { STEP_IDS } from '#extension/setup/plan.ts';
import type { BlockReason } from '#extension/setup/plan.ts';
import { steps } from './plan.ts';

/** Why a step cannot be taken, and who can change that. */
export interface BlockWords {
  readonly why: string;
  readonly who: string;
}

type Data = Readonly<Record<string, string>>;

export const blocked: Record<BlockReason, (data: Data) => BlockWords> = {
  'not-signed-in': () => ({ why: 'You are not signed in.', who: 'Sign in above.' }),
  'organization-missing': (data) => ({
    why: data['detail'] ?? 'The code host has no such organization.',
    who: 'Correct the organization under “What will be set”, or create it on the code host.',
  }),
  'organization-not-claimed': (data) => ({
    why: `Nobody has claimed the organization${quoted(data['organization'] ?? data['org'])} yet.`,
    who: 'Its owner on the code host claims it, or an operator of the configuration service does.',
  }),
  'not-administrator': (data) => ({
    why: data['detail'] ?? 'You may not administer this site.',
    who: 'An administrator of the site or of the organization can give you the role “admin”.',
  }),
  'name-invalid': (data) => ({
    why:
      data['root'] === undefined
        ? (data['problem'] ?? 'A name is not valid.')
        : `The site${quoted(data['name'])} is that of ${data['root']}; write another site name.`,
    who: 'Correct it under “What will be set”.',
  }),
  'host-label-too-long': (data) => ({
    why: data['problem'] ?? 'The host name would be longer than DNS allows.',
    who: 'Shorten the site name under “What will be set”.',
  }),
  'mapping-invalid': (data) => ({
    why: data['problem'] ?? 'A path mapping is not valid.',
    who: 'Correct the path under “What will be set”.',
  }),
  'technical-account-missing': () => ({
    why: 'The technical account is not known.',
    who: 'Copy it from the Authentication tab of the Edge Delivery configuration to “What will be set”.',
  }),
  'content-root-taken': (data) => ({
    why: `Another site${quoted(data['site'])} has this content root already.`,
    who: 'Use that site’s name, or ask an administrator of that site to remove its mapping.',
  }),
  'secret-missing': () => ({
    why: 'The secret of the external repository is not stored yet.',
    who: 'Paste it under “What will be set”. Build management shows it when the repository is linked to this site.',
  }),
  'secret-invalid': (data) => ({ why: data['problem'] ?? 'The secret is not valid.', who: 'Paste it again under “What will be set”.' }),
  'inherited-configuration': (data) => ({
    why: `The cloud configuration is inherited${data['from'] === undefined ? '' : ` from ${data['from']}`}; a change would reach other sites too.`,
    who: 'Give this page a configuration of its own in its page properties.',
  }),
  'cloud-configuration-missing': (data) => ({
    why: `${data['page'] ?? 'This page'} has no cloud configuration, so there is nowhere to set the organization and the site name.`,
    who: 'Choose a cloud configuration in the page properties of the site root, then press “Read again”.',
  }),
  'configuration-page-type': (data) => ({
    why: `${data['path'] ?? 'The configuration page'} is not a configuration page; its type is${quoted(data['resourceType'])}.`,
    who: 'Name another page as the configuration page under “What will be set”, or create it again from the Configuration template.',
  }),
  refused: (data) => ({
    why: data['detail'] ?? data['message'] ?? 'The configuration service refuses this step.',
    who: 'Correct what it says, then press “Read again”.',
  }),
  'service-unreachable': () => ({
    why: 'The configuration service does not answer.',
    who: 'Try again in a minute. If the problem remains, tell its operator.',
  }),
  'authoring-unreachable': () => ({
    why: 'The authoring system does not answer.',
    who: 'Try again in a minute. If the problem remains, tell its administrator.',
  }),
  'earlier-step': (data) => ({
    why: `It comes after${quoted(titleOf(data['step']))}, which is blocked.`,
    who: 'Solve that first.',
  }),
};

function titleOf(step: string | undefined): string {
  return STEP_IDS.filter((id) => id === step).map((id) => steps[id].title)[0] ?? 'an earlier step';
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` “${name}”`;
}

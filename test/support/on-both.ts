/** Whether the tests run on the hosted service, through the bridge, instead of our own service. */
export const IS_HOSTED = process.env['SUITE_SERVICE'] === 'hosted';

/** What the views lack, and the message shown instead. */
export const UNSUPPORTED_IN_VIEWS = {
  'external-repositories': 'This deployment has no build management, so you can’t use external repositories here.',
  'own-organizations': 'Choose an organization in which you have a role, or enter another one on the code host to claim it.',
  'sign-in-with-a-code': 'Sign in there and paste its token, or paste an API key.',
} as const;

/**
 * What the hosted service, or the command line on it without a server, lacks, and the message shown instead: by the command line and the calls
 * (`test/upstream/unsupported.test.ts`), or in a view (journeys).
 */
export const UNSUPPORTED = {
  /** Only the panel without a server lacks it; the command line reads the authoring system itself. */
  authoring: 'The hosted service has nothing for “Read from the authoring system”',
  audit: 'The hosted service has nothing for “Check whether the audit trail was tampered with”',
  'sign-out': 'was removed from this machine. It stays valid until it expires.',
  'unknown-organizations': 'Your role does not allow this, or the sign-in is stale',
  'code-of-profile': 'A site on the hosted service needs its own "code".',
  'content-roots': 'Two sites may have the same content root. The list of sites has no mappings, so there is no warning.',
  'generated-secrets': 'The hosted service makes no value for a secret with a name. Send the value.',
  'permission-of-removal': 'Your role does not allow this',
  'reading-roles': 'The API key does not allow this',
  'guarded-hosts': 'You don’t have access to',
  ...UNSUPPORTED_IN_VIEWS,
  /** A gap of the stand-in, not of the hosted service: it has fixed code and serves no pages here. */
  git: 'The stand-in of the hosted service syncs no repository.',
} as const;
export type Feature = keyof typeof UNSUPPORTED;

/** Whether the service under test has a feature. */
export function offered(_feature: Feature): boolean {
  return !IS_HOSTED;
}

/** Journeys that run only on our own service, and why. All others run on both (project `browser-hosted`). */
export const OWN_JOURNEYS: Readonly<Record<string, string>> = {
  'enable-after-kill.test.ts': 'It kills our own programs.',
  'enable-sign-in.test.ts': 'It uses the sign-in window of our own service.',
  'enable-states.test.ts': 'Two of its three tests need a sign-in window, or a sign-in that the host does not share.',
  'dialog-interruptions-many.test.ts': 'It causes faults of our own service and its sign-in.',
  'dialog-interruptions.test.ts': 'It causes faults of our own service and its sign-in.',
  'inert-strings.test.ts':
    'The hosted service does not reveal to people without a role whether an organization exists: “Only people with a role can see and change its settings.”',
  'notifications.test.ts': 'The hosted service has nothing for “List the subscriptions of an organization”.',
  'overview.test.ts': 'It has more sites than the service before the hosted one reads pages for.',
  'renew-session.test.ts': 'It revokes sessions of our own service.',
  'rollouts.test.ts': 'The checks between waves are those of our own service; hosted-fleet.test.ts rolls out on the hosted one.',
  'simulated-faults.test.ts': 'The sandbox simulates faults of the partners of our own service.',
  'sync-status.test.ts': 'Its repository is external; hosted-sync.test.ts shows the panel on the hosted service.',
  'thousand-sites.test.ts': 'The list of a thousand sites of the hosted service has none of their pages.',
};

/** The journeys that the pipeline also runs on the hosted service; the others would prove nothing more. */
export const HOSTED_JOURNEYS: readonly string[] = [
  'enable.test.ts',
  'sites.test.ts',
  'history.test.ts',
  'access.test.ts',
  'configuration.test.ts',
  'new-configuration.test.ts',
];

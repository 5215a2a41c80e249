/** Whether the tests run on the hosted service, by the bridge, instead of a service of our own. */
export const IS_HOSTED = process.env['SUITE_SERVICE'] === 'hosted';

/** What the hosted service, or the command line on it without a server, has not; and what a person is told (`test/upstream/left-out.test.ts`). */
export const LACKED = {
  /** The panel on it without a server; the command line asks the authoring system itself. */
  authoring: 'The hosted service has nothing for “Read from the authoring system”',
  audit: 'The hosted service has nothing for “Check whether the audit trail was tampered with”',
  'sign-out': 'was removed from this machine. It stays valid until it expires.',
  'unknown-organizations': 'Your role does not allow this, or the sign-in is stale',
  'code-of-profile': 'A site on the hosted service needs "code" of its own.',
  'content-roots': 'Two sites may have the same content root. The list of sites has no mappings, so that nothing is said.',
  'generated-secrets': 'The hosted service makes no value for a secret with a name. Send the value.',
  'permission-of-removal': 'Your role does not allow this',
  'reading-roles': 'Your role does not allow this',
  'guarded-hosts': 'You don’t have access to',
  /** Not the hosted service's: its stand-in has code by itself, and serves no pages here. */
  git: 'The stand-in of the hosted service syncs no repository.',
} as const;
export type Feature = keyof typeof LACKED;

/** Whether the service that the tests run on has it. */
export function offered(_feature: Feature): boolean {
  return !IS_HOSTED;
}

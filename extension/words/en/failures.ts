import type { ErrorCode } from '#contract/errors.ts';

/** What to do next, by the service's error code. What happened is the service's own sentence. */
export const problems: Record<ErrorCode, string> = {
  BODY_UNPARSABLE: 'This is a fault of the panel. Read again; if it comes back, report it with the number below.',
  BODY_INVALID: 'Correct the value under “What will be set” and try again.',
  BODY_MISSING: 'This is a fault of the panel. Read again; if it comes back, report it with the number below.',
  QUERY_INVALID: 'This is a fault of the panel. Read again; if it comes back, report it with the number below.',
  NAME_INVALID: 'Correct the organization or the site name under “What will be set”.',
  HOST_LABEL_TOO_LONG: 'Shorten the site name under “What will be set”.',
  PROPERTY_UNKNOWN: 'This is a fault of the panel. Read again; if it comes back, report it with the number below.',
  CONTENT_ADDRESS_MISMATCH: 'Make the organization and the site name under “What will be set” those of the delivery address.',
  SECRET_NOT_ALLOWED: 'Leave the secret out: the first site of this repository holds it.',
  DEVICE_PENDING: 'Enter the code at the address shown and allow access.',
  NOT_AUTHENTICATED: 'Sign in again; what was done stays done.',
  TOKEN_REFUSED: 'Sign in again; what was done stays done.',
  NOT_AUTHORIZED: 'Ask an administrator of the site or of the organization to give you the role “admin”.',
  CLAIM_NOT_PROVEN: 'Commit the challenge to the repository as shown, or ask an operator of the service to claim the organization.',
  AUTHOR_NOT_ALLOWED: 'Ask those who run the configuration service to put this authoring system on its allow list.',
  AUTHOR_PATH_NOT_ALLOWED: 'Choose a page below /content; the service passes nothing else on.',
  ROUTE_NOT_FOUND: 'The configuration service may be older than this panel. Tell those who run it.',
  CONFIG_TYPE_INVALID: 'The configuration service may be older than this panel. Tell those who run it.',
  ORG_NOT_FOUND: 'Claim the organization first.',
  SITE_NOT_FOUND: 'Read again: the site was removed meanwhile, and can be registered anew.',
  PART_NOT_FOUND: 'Read again: the part was removed meanwhile.',
  VERSION_NOT_FOUND: 'Read again and choose a version that is there.',
  CONFIG_NOT_FOUND: 'Map the paths; then it is there.',
  METHOD_NOT_ALLOWED: 'The configuration service may be older than this panel. Tell those who run it.',
  CONTENT_ROOT_TAKEN: 'Use the name of that site, or ask its administrator to remove its mapping.',
  WOULD_LOCK_OUT: 'Put yourself on the list of administrators under “What will be set”.',
  ORG_ALREADY_CLAIMED: 'Ask an administrator of the organization to add you.',
  ORG_UNKNOWN_ON_CODE_HOST: 'Correct the organization’s name, or create it on the code host first.',
  PRECONDITION_FAILED: 'Somebody else changed the site meanwhile. Read again, look at the plan, and go on.',
  BODY_TOO_LARGE: 'Shorten the lists under “What will be set”.',
  CONTENT_TYPE_UNSUPPORTED: 'This is a fault of the panel. Read again; if it comes back, report it with the number below.',
  RATE_LIMITED: 'Wait a minute, then try again.',
  INTERNAL: 'Try again. If it comes back, report it to those who run the configuration service with the number below.',
  CONTENT_SOURCE_NOT_SERVED: 'Choose the authoring system as the content source of this site.',
  AUTHOR_UNREACHABLE: 'Try again in a minute; if it stays so, tell the authoring system’s administrator.',
  AUTHOR_ANSWER_REFUSED: 'Tell the authoring system’s administrator: its answer was not what it should be.',
  CODE_HOST_UNREACHABLE: 'Try again in a minute; the code host does not answer just now.',
  IDENTITY_PROVIDER_UNREACHABLE: 'Try again in a minute; signing in is not possible just now.',
  SHUTTING_DOWN: 'The service is being restarted. Try again in a minute; what was done stays done.',
  STORAGE_UNAVAILABLE: 'Try again in a minute; nothing was changed. If it stays so, tell those who run the configuration service.',
  AUTHOR_TIMEOUT: 'Try again in a minute; if it stays so, tell the authoring system’s administrator.',
  STORAGE_FULL: 'Nothing was changed. Tell those who run the configuration service that its storage is full.',
};

export const failures = {
  unreachable: {
    sentence: 'The configuration service does not answer.',
    next: 'Check your connection and try again in a minute; what was done stays done.',
  },
  timeout: {
    sentence: 'The answer did not come in time.',
    next: 'Try again: what was done is recognised and not done twice.',
  },
  refused: (status: number | undefined) => ({
    sentence: status === undefined ? 'The call was refused.' : `The call was refused (status ${status}).`,
    next: 'Read again. If it comes back, tell those who run the configuration service.',
  }),
  unexpected: {
    sentence: 'Something unexpected came back.',
    next: 'Read again. If it comes back, report it with the details.',
  },
  authoringRefused: {
    401: {
      sentence: 'The authoring system does not accept your sign-in any more.',
      next: 'Sign in to the authoring system again, then open this panel again.',
    },
    403: {
      sentence: 'You may not read or change this in the authoring system.',
      next: 'Ask the authoring system’s administrator for permission on the page and on its configuration below /conf.',
    },
  },
};

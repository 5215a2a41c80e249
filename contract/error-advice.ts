import type { ErrorCode } from './errors.ts';

export interface ErrorAdvice {
  /** What was found, a sentence. */
  readonly meaning: string;
  /** What the caller does about it, a sentence. */
  readonly advice: string;
}

/** What each error code means and what to do: the page of error codes is made of it. A code without its line does not compile. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  BODY_UNPARSABLE: tell('The body is not valid JSON, or is missing.', 'Check brackets, quotation marks and commas, and send it as UTF-8.'),
  BODY_INVALID: tell('A field is unknown, missing or breaks a rule.', 'Read `errors`: each entry names a field and says what to write.'),
  BODY_MISSING: tell('The request needs a body.', 'Send one, or name the version to restore where the call restores versions.'),
  QUERY_INVALID: tell('A query parameter is not valid.', 'Read `errors`, which names the parameter. Correct or omit it.'),
  NAME_INVALID: tell('A name in the path is not valid.', 'Use lowercase letters, digits and single hyphens; the detail suggests a name.'),
  HOST_LABEL_TOO_LONG: tell(
    '`<branch>--<site>--<org>` has more than 63 characters.',
    'Choose a shorter site name; the detail says by how many characters.',
  ),
  PROPERTY_UNKNOWN: tell('A site has no part with this name.', 'Use one of the parts in the reference, in the same spelling.'),
  CONTENT_ADDRESS_MISMATCH: tell(
    'The delivery address names another organization or site than the path.',
    'Write the organization and the site of the path into `content.source.url`.',
  ),
  SECRET_NOT_ALLOWED: tell(
    'Another site holds the secret of this external repository.',
    'Omit `secretId` and set no secret here: the service uses the one of the site named in the message.',
  ),
  INVALID_SIGNATURE: tell(
    'An event is not signed, or not with the expected secret.',
    'Enter the same webhook secret at both ends and send the event again.',
  ),
  REQUEST_MALFORMED: tell(
    'The request names no host or several, or its first line or its headers are not valid HTTP.',
    'Send it with an HTTP/1.1 client, with only the path in the first line, and one header `Host`.',
  ),
  REQUEST_TIMED_OUT: tell('The headers or the body took too long.', 'Send the request again over a faster connection.'),
  EXPECTATION_REFUSED: tell('The header `Expect` has an unsupported value.', 'Omit it, or send `100-continue`.'),
  HEADERS_TOO_LARGE: tell('The headers have more than 16 kB in total.', 'Send fewer or shorter headers; an old cookie may be the cause.'),
  DEVICE_PENDING: tell(
    'The user has not decided about the device yet, or the code has expired.',
    'Read `error` as defined in RFC 8628: request again after the interval, or start again.',
  ),
  NOT_AUTHENTICATED: tell('The request has no valid token.', 'Sign in at `/login`, or send a token in `x-auth-token`.'),
  TOKEN_REFUSED: tell(
    'The token to exchange has expired, was altered, or has an issuer or audience that is not trusted.',
    'Sign in again where it came from. If that does not help, ask the operator for the trusted issuers.',
  ),
  API_KEY_REFUSED: tell('The API key of the webhook is wrong or was replaced.', 'Enter the webhook address again, with the latest key.'),
  REPOSITORY_SECRET_REFUSED: tell(
    'The secret of the repository is wrong or was revoked by another link.',
    'Link the repository again and store the new secret with its site.',
  ),
  NOT_AUTHORIZED: tell(
    'The caller has no role that allows this.',
    'Ask an administrator of the site or the organization for the role named in the reference.',
  ),
  CLAIM_NOT_PROVEN: tell(
    'Control of the organization on the code host is not proven.',
    'Ask for a challenge, commit it on `main`, and claim again.',
  ),
  AUTHOR_NOT_ALLOWED: tell('The authoring proxy does not call this authoring host.', 'Ask the operator to add it to `AUTHOR_HOSTS`.'),
  AUTHOR_PATH_NOT_ALLOWED: tell(
    'The authoring proxy does not forward this path.',
    'Use only paths of content and configuration, or call the authoring system directly.',
  ),
  QUOTA_REACHED: tell(
    'The organization has as many sites, repositories, versions, secrets or API keys as the operator allows.',
    'Remove what is no longer needed (`/config/<org>/usage.json` shows the counts), or ask the operator for more.',
  ),
  ROUTE_NOT_FOUND: tell('There is no call at this address.', 'Compare the address with the reference, including endings such as `.json`.'),
  CONFIG_TYPE_INVALID: tell('A configuration address does not end with `.json` or `robots.txt`.', 'Add `.json` at the end.'),
  ORG_NOT_FOUND: tell(
    'Nobody has claimed this organization, or you have no role in it. Without a role, you cannot find out which.',
    'Check its name and the account that you are signed in with. Ask an administrator of the organization for access, or claim it.',
  ),
  SITE_NOT_FOUND: tell(
    'The organization has no site with this name.',
    'Check the name in the list of sites, or create it. To bring back a removed site, restore a version.',
  ),
  PART_NOT_FOUND: tell('The site does not have this part.', 'Set it first.'),
  PROFILE_NOT_FOUND: tell('The organization has no profile with this name.', 'Check the name in the list of profiles, or create it.'),
  USER_NOT_FOUND: tell('The organization has no user with this identifier.', 'Read the list of users for valid identifiers.'),
  GROUP_NOT_FOUND: tell('There is no group with this name.', 'Check the name, or set the group first.'),
  API_KEY_NOT_FOUND: tell('There is no API key with this identifier.', 'Read the list of keys. A removed key cannot be restored.'),
  SITE_TOKEN_NOT_FOUND: tell(
    'There is no site token with this identifier.',
    'Read the list of tokens. A token ends after a day; create another one.',
  ),
  SUBSCRIPTION_NOT_FOUND: tell('There is no subscription with this identifier.', 'Read the list of subscriptions for valid identifiers.'),
  SECRET_NOT_FOUND: tell('The site has no secret with this name.', 'Read the list of secrets, or set it.'),
  JOB_NOT_FOUND: tell('The branch has no job with this name.', 'Read the jobs of the branch. Only the latest ones are kept.'),
  REPOSITORY_UNKNOWN: tell('No site uses this external repository.', 'Set it as the code of a site first.'),
  EXTERNAL_REPOSITORY_NOT_FOUND: tell(
    'The organization has not onboarded this repository.',
    'Read the list of repositories, or onboard it.',
  ),
  WEBHOOK_NOT_FOUND: tell('No repository has this webhook address.', 'Use the address shown with the repository.'),
  DELIVERY_NOT_FOUND: tell(
    'The repository does not have this delivery, or it is no longer kept.',
    'Read the list of deliveries, or synchronise the branch itself.',
  ),
  BRANCH_NOT_FOUND: tell('The repository does not have this branch or commit.', 'Check its spelling, and whether it was pushed.'),
  CODE_NOT_SYNCHRONISED: tell(
    'A preview or live host has no code of the branch: its first sync has not started, is in progress, or failed.',
    'Read the job of the branch, fix what its error says, and synchronise again.',
  ),
  FILE_NOT_FOUND: tell('The branch does not have this file.', 'Check the path, including upper and lower case.'),
  VERSION_NOT_FOUND: tell('There is no version with this number.', 'Read the list of versions.'),
  CONFIG_NOT_FOUND: tell('The site has no public part, so there is no `config.json`.', 'Set the path mappings of the site.'),
  METHOD_NOT_ALLOWED: tell('The address does not support this method.', 'Use a method from the header `allow`.'),
  BRANCH_PROTECTED: tell('`main` is never removed.', 'No action needed: the code of `main` stays.'),
  REPOSITORY_TAKEN: tell('The clone address is already onboarded.', 'Use the repository that is in the list.'),
  EXTERNAL_LIMIT_REACHED: tell(
    'The organization has as many external repositories as the operator allows.',
    'Remove one that is not needed, or ask the operator for more (EXTERNAL_REPOSITORIES).',
  ),
  WEBHOOK_ROTATED: tell(
    'The credentials of this webhook were renewed less than a day ago; the previous ones are still valid.',
    'Enter the new ones at the git vendor. Create others after the time in `data.until`.',
  ),
  BRANCH_BUSY: tell(
    'A sync of another branch that has the same host name is under way, and one of them is synchronised at a time.',
    'Wait until its job has ended, or stop it, then ask again.',
  ),
  REPOSITORY_NOT_READY: tell('The repository is not READY.', 'Read its `problem`, fix the cause, check it again, and wait for READY.'),
  CONTENT_ROOT_TAKEN: tell(
    'Another site has this content root, or another organization its authoring host.',
    'Use the site named in the message, or map another root. If the message names no site, another organization has the root or the host: ask the operator to assign it to the organization that owns the content.',
  ),
  SITE_EXISTS: tell(
    'The organization already has a site with this name.',
    'Choose another name, or set the code source of the existing site.',
  ),
  USER_EXISTS: tell(
    'Another user of the organization has this e-mail address.',
    'Change the roles of that user: POST its own address, which the list of users names by its `id`.',
  ),
  SECRET_IN_USE: tell(
    'Other sites of the organization use the external repository whose secret this site holds; it would go with the site.',
    'Remove these sites first, or set another code source for them. To let one of them hold the secret, set another code source for this site, then `secretId` and the secret there.',
  ),
  PROFILE_IN_USE: tell('Sites extend this profile.', 'First remove `extends` from the sites named in the message.'),
  ROLLOUT_NOT_FOUND: tell(
    'The organization does not have this rollout, or it is too old to be kept.',
    'List them: `GET /config/{org}/rollouts.json`.',
  ),
  ROLLOUT_REFUSED: tell(
    'The rollout cannot be started, stopped, resumed or undone in its current state, or too many rollouts are open.',
    'Follow the message: check its progress, or finish another one first.',
  ),
  SUBSCRIPTION_REFUSED: tell(
    'The service does not send e-mail, it may not send to this address for you, the organization has too many subscriptions, or too many messages to this one are waiting.',
    'Follow the message: subscribe with your own address or a webhook, remove an unneeded subscription, or wait until messages have been delivered.',
  ),
  VERSION_IS_CURRENT: tell(
    'The current version cannot be removed.',
    'First change or restore something, so that another version is the current one.',
  ),
  VERSION_REFUSED: tell(
    'The rules have changed since and no longer allow the content of this version.',
    'Read `errors` for the rule, use the version as a body, correct it, and send that.',
  ),
  MIGRATION_NOT_POSSIBLE: tell(
    'The repository contains no configuration to migrate.',
    'Check that the branch contains `fstab.yaml`, or send the configuration itself.',
  ),
  WOULD_LOCK_OUT: tell(
    'The change would remove admin access from its caller.',
    'Keep yourself in the list, or send `?confirm=true` where that is what you want.',
  ),
  ORG_ALREADY_CLAIMED: tell(
    'The organization already has administrators. Only its proven owner on the code host, or people with a role in it, get this answer.',
    'Ask one of them to add you.',
  ),
  ORG_UNKNOWN_ON_CODE_HOST: tell(
    'The code host has no organization with this name.',
    'Check the name, or create the organization there first.',
  ),
  CODE_SOURCE_NOT_FOUND: tell(
    'The code host, or build management, does not have this repository.',
    'Correct owner and repo, or create the repository first.',
  ),
  CODE_SOURCE_REFUSED: tell(
    'The code host does not show the repository: it is private or does not exist.',
    'Correct owner and repo, make it public, or onboard it as an external repository.',
  ),
  PRECONDITION_FAILED: tell(
    'Somebody changed it since it was read, or it exists where it should be new.',
    'Read it again, apply your change, and send it with the new `etag`.',
  ),
  STORAGE_QUOTA_REACHED: tell(
    'The organization stores as many bytes of configuration or of code as the operator allows, or the document is larger than any may be.',
    'Remove versions, sites or parts that are no longer needed, or ask the operator for more.',
  ),
  BODY_TOO_LARGE: tell('The body is larger than the service accepts.', 'Send less at once, or ask the operator for a larger `BODY_LIMIT`.'),
  FILE_TOO_LARGE: tell('The file is too large to be served.', 'Make it smaller, or keep it out of the repository.'),
  CONTENT_TYPE_UNSUPPORTED: tell('The call does not accept the type of the body.', 'Send the `content-type` named in the reference.'),
  CONTENT_ENCODING_UNSUPPORTED: tell(
    'The body is compressed, which no call supports.',
    'Send it as it is: without `content-encoding`, or with `identity`.',
  ),
  RANGE_INVALID: tell('The file ends before the requested range.', 'Request a range within the size in `content-range`.'),
  RATE_LIMITED: tell(
    'The caller sent more requests than are allowed.',
    'Wait the number of seconds in `retry-after`, and spread the requests.',
  ),
  INTERNAL: tell('An unexpected error occurred.', 'Try again. If the problem persists, give the operator the `requestId`.'),
  STORAGE_DAMAGED: tell(
    'Stored data in the database is damaged; it is not served, and nothing was changed.',
    'Contact the operator immediately: the database, or the object named in the message, must be restored from a backup.',
  ),
  NOT_OFFERED: tell(
    'The public service has this call, but this service does not.',
    'Omit it: the message says why there is nothing to do. The page at `/` of the service lists all calls that it has.',
  ),
  CONTENT_SOURCE_NOT_SERVED: tell(
    'Pages of this kind of content source are not served here.',
    'Use a content source of the type `markup`.',
  ),
  AUTHOR_UNREACHABLE: tell('The authoring system does not respond.', 'Check its address and that it runs, and try again.'),
  AUTHOR_ANSWER_REFUSED: tell(
    'The response of the authoring system cannot be forwarded.',
    'Request less at once, and check that the host is an authoring system.',
  ),
  CONTENT_UNREACHABLE: tell(
    'The content source does not respond as expected.',
    'Open the delivery address of the site directly, and fix the error that it shows.',
  ),
  CODE_HOST_UNREACHABLE: tell('The code host does not respond.', 'Try again later. Its status page may have details.'),
  BUILD_MANAGEMENT_UNREACHABLE: tell(
    'The service does not reach build management; nothing was stored.',
    'Try again; the operator checks `BUILD_MANAGEMENT` and `BUILD_MANAGEMENT_KEY`.',
  ),
  REPOSITORY_UNREACHABLE: tell(
    'The git vendor does not respond as expected.',
    'Check the clone address and the access token, and check the repository again.',
  ),
  SERVICE_UNREACHABLE: tell(
    'Build management does not reach the configuration service.',
    'Try again; the operator checks `SERVICE_ADDRESS`.',
  ),
  IDENTITY_PROVIDER_UNREACHABLE: tell('The identity provider does not respond.', 'Try again later. Existing tokens stay valid.'),
  OVERLOADED: tell(
    'This organization, or all of them together, sent more concurrent requests than can be answered within a second.',
    'Send the same request again after `retry-after`, and fewer concurrently.',
  ),
  SHUTTING_DOWN: tell('This node of the service is stopping.', 'Send the same request again after `retry-after`.'),
  STORAGE_UNAVAILABLE: tell(
    'The storage does not respond.',
    'Try again. Before you repeat a write, read what is stored. The operator should check the database.',
  ),
  AUTHOR_TIMEOUT: tell('The authoring system took too long.', 'Try again, or request less at once.'),
  STORAGE_FULL: tell('The storage is full; nothing was changed.', 'Ask the operator to free up space; no restart is needed.'),
};

function tell(meaning: string, advice: string): ErrorAdvice {
  return { meaning, advice };
}

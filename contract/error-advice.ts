import type { ErrorCode } from './errors.ts';

export interface ErrorAdvice {
  /** What was found, a sentence. */
  readonly meaning: string;
  /** What the caller does about it, a sentence. */
  readonly advice: string;
}

/** What each error code means and what to do: the page of error codes is made of it. A code without its line does not compile. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  BODY_UNPARSABLE: tell('The body is no JSON.', 'Check brackets, quotation marks and commas, and send it as UTF-8.'),
  BODY_INVALID: tell(
    'A field is unknown, missing or breaks a rule.',
    'Read `errors`: each entry points at a field and says what to write.',
  ),
  BODY_MISSING: tell('The call needs a body.', 'Send one, or name the version to restore where the call restores versions.'),
  QUERY_INVALID: tell('A query parameter breaks its rule.', 'Read `errors`, which names the parameter, and correct or leave it out.'),
  NAME_INVALID: tell(
    'A name in the path breaks its rule.',
    'Write lower-case letters, digits and single hyphens; the detail shows the name as it could be.',
  ),
  HOST_LABEL_TOO_LONG: tell(
    '`<branch>--<site>--<org>` has more than 63 characters.',
    'Choose a shorter site name; the detail says by how many characters.',
  ),
  PROPERTY_UNKNOWN: tell('A site has no part of this name.', 'Take one of the parts of the reference, spelled as there.'),
  CONTENT_ADDRESS_MISMATCH: tell(
    'The delivery address names another organization or site than the path.',
    'Write the organization and the site of the path into `content.source.url`.',
  ),
  SECRET_NOT_ALLOWED: tell(
    'Another site holds the secret of this external repository.',
    'Leave `secretId` out and set no secret here: the service uses the one of the site that the sentence names.',
  ),
  INVALID_SIGNATURE: tell(
    'An event is not signed, or not with the secret that is known here.',
    'Enter the same webhook secret at both ends and send the event again.',
  ),
  DEVICE_PENDING: tell(
    'The user has not yet decided about the device, or it is over.',
    'Read `error` as RFC 8628 has it: ask again after the interval, or begin anew.',
  ),
  NOT_AUTHENTICATED: tell('There is no valid token with the call.', 'Sign in at `/login`, or send a token in `x-auth-token`.'),
  TOKEN_REFUSED: tell(
    'The token to be exchanged is expired, altered, or of an issuer or audience that is not trusted.',
    'Sign in anew where it came from; if that does not help, ask the operator for the trusted issuers.',
  ),
  API_KEY_REFUSED: tell(
    'The API key of the webhook is wrong or was replaced.',
    'Enter the webhook address anew, with the key it was last shown with.',
  ),
  REPOSITORY_SECRET_REFUSED: tell(
    'The secret of the repository is wrong or was revoked by another link.',
    'Link the repository again and set the new secret at its site.',
  ),
  NOT_AUTHORIZED: tell(
    'The caller has no role that allows this.',
    'Ask an administrator of the site or the organization for the role that the reference names.',
  ),
  CLAIM_NOT_PROVEN: tell(
    'Control of the organization on the code host is not proven.',
    'Ask for a challenge, commit it on `main`, and claim again.',
  ),
  AUTHOR_NOT_ALLOWED: tell('The relay does not call this authoring host.', 'Ask the operator to add it to `AUTHOR_HOSTS`.'),
  AUTHOR_PATH_NOT_ALLOWED: tell(
    'The relay does not pass this path on.',
    'Call the paths of content and configuration alone, or the authoring system itself.',
  ),
  ROUTE_NOT_FOUND: tell('There is no call at this address.', 'Compare the address with the reference, endings such as `.json` included.'),
  CONFIG_TYPE_INVALID: tell('A configuration address ends in something else than `.json` or `robots.txt`.', 'Write `.json` at its end.'),
  ORG_NOT_FOUND: tell('Nobody has claimed this organization.', 'Check its name, or claim it.'),
  SITE_NOT_FOUND: tell(
    'The organization has no site of this name.',
    'Check the name in the list of sites, or create it; a removed one comes back by restoring a version.',
  ),
  PART_NOT_FOUND: tell('The site does not have this part.', 'Set it first, or go without it.'),
  PROFILE_NOT_FOUND: tell('The organization has no profile of this name.', 'Check the name in the list of profiles, or create it.'),
  USER_NOT_FOUND: tell('The organization has no user of this identifier.', 'Read the list of users for the identifiers that there are.'),
  GROUP_NOT_FOUND: tell('There is no group of this name.', 'Check the name, or set the group first.'),
  API_KEY_NOT_FOUND: tell('There is no API key of this identifier.', 'Read the list of keys; a key that was removed stays removed.'),
  SECRET_NOT_FOUND: tell('The site has no secret of this name.', 'Read the list of secrets, or set it.'),
  JOB_NOT_FOUND: tell('The branch has no job of this name.', 'Read the jobs of the branch; only the latest ones are kept.'),
  REPOSITORY_UNKNOWN: tell('No site uses this external repository.', 'Set it as the code of a site first.'),
  EXTERNAL_REPOSITORY_NOT_FOUND: tell(
    'The organization has not onboarded this repository.',
    'Read the list of repositories, or onboard it.',
  ),
  WEBHOOK_NOT_FOUND: tell('No repository has this webhook address.', 'Take the address that is shown with the repository.'),
  DELIVERY_NOT_FOUND: tell(
    'The repository has no such delivery, or it is no longer kept.',
    'Read the list of deliveries, or synchronise the branch itself.',
  ),
  BRANCH_NOT_FOUND: tell('The repository has no such branch or commit.', 'Check its spelling, and that it was pushed.'),
  FILE_NOT_FOUND: tell('The branch has no such file.', 'Check the path, upper and lower case included.'),
  VERSION_NOT_FOUND: tell('There is no version of this number.', 'Read the list of versions.'),
  CONFIG_NOT_FOUND: tell('The site has no public part, so there is no `config.json`.', 'Set the path mappings of the site.'),
  METHOD_NOT_ALLOWED: tell('The address does not take this method.', 'Use one of those in the header `allow`.'),
  BRANCH_PROTECTED: tell('`main` is never removed.', 'Nothing is to be done: the code of `main` stays.'),
  REPOSITORY_TAKEN: tell('The clone address is onboarded already.', 'Use the repository that is in the list.'),
  REPOSITORY_NOT_READY: tell('The repository is not READY.', 'Read its `problem`, mend that, check it again, and wait for READY.'),
  CONTENT_ROOT_TAKEN: tell('Another site serves this content root.', 'Use the site that the sentence names, or map another root.'),
  USER_EXISTS: tell(
    'Another user of the organization has this e-mail address.',
    'Change the roles of that user: POST its own address, which the list of users names by its `id`.',
  ),
  PROFILE_IN_USE: tell('Sites extend this profile.', 'Remove `extends` from the sites that the sentence names first.'),
  VERSION_IS_CURRENT: tell(
    'The current version cannot be removed.',
    'Change or restore first, so that another version is the current one.',
  ),
  VERSION_REFUSED: tell(
    'The rules have changed since, and refuse what this version holds.',
    'Read `errors` for the rule, take the version as a body, mend it, and send that.',
  ),
  MIGRATION_NOT_POSSIBLE: tell(
    'The repository holds no configuration that can be taken over.',
    'Check that `fstab.yaml` lies on the branch, or send the configuration itself.',
  ),
  WOULD_LOCK_OUT: tell(
    'The change would take the administration from its caller.',
    'Keep yourself in the list, or send `?confirm=true` where that is what you want.',
  ),
  ORG_ALREADY_CLAIMED: tell('The organization has administrators already.', 'Ask one of them to add you.'),
  ORG_UNKNOWN_ON_CODE_HOST: tell(
    'The code host has no organization of this name.',
    'Check the name, or create the organization there first.',
  ),
  PRECONDITION_FAILED: tell(
    'Somebody changed it since it was read, or it exists where it should be new.',
    'Read it again, put your change on top, and send it with the new `etag`.',
  ),
  BODY_TOO_LARGE: tell('The body is larger than the service takes.', 'Send less at once, or ask the operator for a larger `BODY_LIMIT`.'),
  FILE_TOO_LARGE: tell('The file is larger than is served.', 'Make it smaller, or keep it out of the repository.'),
  CONTENT_TYPE_UNSUPPORTED: tell('The body is of a type that the call does not take.', 'Send the `content-type` that the reference names.'),
  RANGE_INVALID: tell('The file ends before the range that was asked for.', 'Ask for a range within the size in `content-range`.'),
  RATE_LIMITED: tell(
    'The caller sent more requests than are allowed.',
    'Wait as many seconds as `retry-after` says, and spread the calls.',
  ),
  INTERNAL: tell('Something happened that nobody foresaw.', 'Try again; if it stays, give the operator the `requestId`.'),
  CONTENT_SOURCE_NOT_SERVED: tell(
    'Pages of this kind of content source are not served here.',
    'Use a content source of the type `markup`.',
  ),
  AUTHOR_UNREACHABLE: tell('The authoring system does not answer.', 'Check its address and that it runs, and try again.'),
  AUTHOR_ANSWER_REFUSED: tell(
    'The authoring system answered with something that is not passed on.',
    'Ask for less at once, and check that the host is an authoring system.',
  ),
  CONTENT_UNREACHABLE: tell(
    'The content source does not answer as it should.',
    'Open the delivery address of the site by itself, and mend what that shows.',
  ),
  CODE_HOST_UNREACHABLE: tell('The code host does not answer.', 'Try again later; its own status page tells more.'),
  REPOSITORY_UNREACHABLE: tell(
    'The git vendor does not answer as it should.',
    'Check the clone address and the access token, and check the repository again.',
  ),
  SERVICE_UNREACHABLE: tell(
    'Build management does not reach the configuration service.',
    'Try again; the operator checks `SERVICE_ADDRESS`.',
  ),
  IDENTITY_PROVIDER_UNREACHABLE: tell('The identity provider does not answer.', 'Try again later; whoever has a token goes on with it.'),
  SHUTTING_DOWN: tell('This node of the service is stopping.', 'Send the same call again after `retry-after`.'),
  STORAGE_UNAVAILABLE: tell('The storage does not answer; nothing was changed.', 'Try again; the operator checks the database.'),
  AUTHOR_TIMEOUT: tell('The authoring system took too long.', 'Try again, or ask it for less at once.'),
  STORAGE_FULL: tell('The storage is full; nothing was changed.', 'Tell the operator to make room; no restart is needed.'),
};

function tell(meaning: string, advice: string): ErrorAdvice {
  return { meaning, advice };
}

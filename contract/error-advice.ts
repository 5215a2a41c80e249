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
  PROPERTY_UNKNOWN: tell('A site has no part of this name.', 'Use one of the parts in the reference, spelled as there.'),
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
  REQUEST_MALFORMED: tell(
    'The request names no host or several, or its first line or its headers are not valid HTTP.',
    'Send it with a client for HTTP/1.1, the path alone in the first line, and one header `Host`.',
  ),
  REQUEST_TIMED_OUT: tell('The headers or the body took too long.', 'Send the request again over a faster connection.'),
  EXPECTATION_REFUSED: tell('The header `Expect` asks for something unknown.', 'Leave it out, or send `100-continue`.'),
  HEADERS_TOO_LARGE: tell('The headers take more than 16 kB in all.', 'Send fewer or shorter headers; an old cookie may be the cause.'),
  DEVICE_PENDING: tell(
    'The user has not yet decided about the device, or it is over.',
    'Read `error` as RFC 8628 has it: ask again after the interval, or begin anew.',
  ),
  NOT_AUTHENTICATED: tell('There is no valid token with the call.', 'Sign in at `/login`, or send a token in `x-auth-token`.'),
  TOKEN_REFUSED: tell(
    'The token to be exchanged is expired, altered, or of an issuer or audience that is not trusted.',
    'Sign in again where it came from. If that does not help, ask the operator for the trusted issuers.',
  ),
  API_KEY_REFUSED: tell(
    'The API key of the webhook is wrong or was replaced.',
    'Enter the webhook address again, with the key that was shown last.',
  ),
  GIT_TOKEN_REFUSED: tell(
    'A git client shows no access token of this hosted repository, or one that was revoked.',
    'Sign in with the user name `git` and the access token of the repository. Create a new one if it is lost.',
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
  AUTHOR_NOT_ALLOWED: tell('The authoring proxy does not call this authoring host.', 'Ask the operator to add it to `AUTHOR_HOSTS`.'),
  AUTHOR_PATH_NOT_ALLOWED: tell(
    'The authoring proxy does not pass this path on.',
    'Call the paths of content and configuration alone, or the authoring system itself.',
  ),
  QUOTA_REACHED: tell(
    'The organization has as many sites, repositories, versions, secrets or API keys as the operator allows.',
    'Remove what is not needed any more; `/config/<org>/usage.json` shows how many there are. Or ask the operator for more.',
  ),
  ROUTE_NOT_FOUND: tell('There is no call at this address.', 'Compare the address with the reference, endings such as `.json` included.'),
  CONFIG_TYPE_INVALID: tell('A configuration address ends in something else than `.json` or `robots.txt`.', 'Write `.json` at its end.'),
  ORG_NOT_FOUND: tell(
    'Nobody has claimed this organization, or you have no role in it. Who has none is not told which.',
    'Check its name and who you are signed in as. Ask an administrator of the organization for access, or claim it.',
  ),
  SITE_NOT_FOUND: tell(
    'The organization has no site of this name.',
    'Check the name in the list of sites, or create it; a removed one comes back by restoring a version.',
  ),
  PART_NOT_FOUND: tell('The site does not have this part.', 'Set it first, or go without it.'),
  PROFILE_NOT_FOUND: tell('The organization has no profile of this name.', 'Check the name in the list of profiles, or create it.'),
  USER_NOT_FOUND: tell('The organization has no user of this identifier.', 'Read the list of users for the identifiers that there are.'),
  GROUP_NOT_FOUND: tell('There is no group of this name.', 'Check the name, or set the group first.'),
  API_KEY_NOT_FOUND: tell('There is no API key of this identifier.', 'Read the list of keys; a key that was removed stays removed.'),
  SUBSCRIPTION_NOT_FOUND: tell(
    'There is no subscription of this identifier.',
    'Read the list of subscriptions for the identifiers that there are.',
  ),
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
  CODE_NOT_SYNCHRONISED: tell(
    'A preview or live host has no code of the branch: its first sync did not begin, is under way, or failed.',
    'Read the job of the branch, fix what its error says, and synchronise again.',
  ),
  FILE_NOT_FOUND: tell('The branch has no such file.', 'Check the path, upper and lower case included.'),
  VERSION_NOT_FOUND: tell('There is no version of this number.', 'Read the list of versions.'),
  CONFIG_NOT_FOUND: tell('The site has no public part, so there is no `config.json`.', 'Set the path mappings of the site.'),
  METHOD_NOT_ALLOWED: tell('The address does not take this method.', 'Use one of those in the header `allow`.'),
  BRANCH_PROTECTED: tell('`main` is never removed.', 'No action needed: the code of `main` stays.'),
  REPOSITORY_TAKEN: tell('The clone address is onboarded already.', 'Use the repository that is in the list.'),
  REPOSITORY_KIND_REFUSED: tell(
    'Webhooks and checks are for repositories of a git vendor, access tokens for git for hosted ones.',
    'Do what the sentence says instead.',
  ),
  EXTERNAL_LIMIT_REACHED: tell(
    'The operator has set how many external repositories an organization onboards.',
    'Remove one that is not needed, or ask the operator for more (EXTERNAL_REPOSITORIES).',
  ),
  HOSTED_LIMIT_REACHED: tell(
    'The operator has set how many repositories are hosted for an organization.',
    'Remove one that is not needed, or ask the operator for more (HOSTED_REPOSITORIES).',
  ),
  WEBHOOK_ROTATED: tell(
    'The credentials of this webhook were renewed less than a day ago; those before are still good.',
    'Enter the new ones at the git vendor. Make others after the time in `data.until`.',
  ),
  BRANCH_BUSY: tell(
    'A sync of another branch that has the same host name is under way, and one of them is synchronised at a time.',
    'Wait until its job has ended, or stop it, then ask again.',
  ),
  REPOSITORY_NOT_READY: tell('The repository is not READY.', 'Read its `problem`, fix the cause, check it again, and wait for READY.'),
  CONTENT_ROOT_TAKEN: tell(
    'Another site has this content root, or another organization its authoring host.',
    'Use the site that the sentence names, or map another root. Where it names none, another organization has the root or the host: ask the operator, who gives it to the organization whose content it is.',
  ),
  SITE_EXISTS: tell('The organization has a site of this name.', 'Choose another name, or set the code source of the site that is there.'),
  USER_EXISTS: tell(
    'Another user of the organization has this e-mail address.',
    'Change the roles of that user: POST its own address, which the list of users names by its `id`.',
  ),
  SECRET_IN_USE: tell(
    'Other sites of the organization use the external repository whose secret this site holds; it would go with the site.',
    'Remove these sites first, or set another code source for them. To let one of them hold the secret, set another code source for this site, then `secretId` and the secret there.',
  ),
  PROFILE_IN_USE: tell('Sites extend this profile.', 'Remove `extends` from the sites that the sentence names first.'),
  ROLLOUT_NOT_FOUND: tell(
    'The organization has no such rollout, or it is so old that it was forgotten.',
    'List them: `GET /config/{org}/rollouts.json`.',
  ),
  ROLLOUT_REFUSED: tell(
    'The rollout cannot be started, stopped, resumed or undone as it is, or as many are open as may be.',
    'Do what the message says: look how far it is, or end another one first.',
  ),
  SUBSCRIPTION_REFUSED: tell(
    'The service sends no e-mail, the address is not one that it sends to for you, the organization has as many subscriptions as it may, or as many messages to this one wait.',
    'Do what the message says: subscribe with your own address or a webhook, remove a subscription that nobody needs, or wait until messages have arrived.',
  ),
  VERSION_IS_CURRENT: tell(
    'The current version cannot be removed.',
    'Change or restore first, so that another version is the current one.',
  ),
  VERSION_REFUSED: tell(
    'The rules have changed since, and refuse what this version holds.',
    'Read `errors` for the rule, use the version as a body, correct it, and send that.',
  ),
  MIGRATION_NOT_POSSIBLE: tell(
    'The repository contains no configuration to migrate.',
    'Check that `fstab.yaml` lies on the branch, or send the configuration itself.',
  ),
  WOULD_LOCK_OUT: tell(
    'The change would remove admin access from its caller.',
    'Keep yourself in the list, or send `?confirm=true` where that is what you want.',
  ),
  ORG_ALREADY_CLAIMED: tell(
    'The organization has administrators already. Only who proved that it is theirs on the code host, or has a role in it, is told so.',
    'Ask one of them to add you.',
  ),
  ORG_UNKNOWN_ON_CODE_HOST: tell(
    'The code host has no organization of this name.',
    'Check the name, or create the organization there first.',
  ),
  CODE_SOURCE_NOT_FOUND: tell(
    'The code host, or build management, has no such repository.',
    'Correct owner and repo, or create the repository first.',
  ),
  CODE_SOURCE_REFUSED: tell(
    'The code host does not show the repository: it is private, or does not exist.',
    'Correct owner and repo, make it public, or onboard it as an external repository.',
  ),
  PRECONDITION_FAILED: tell(
    'Somebody changed it since it was read, or it exists where it should be new.',
    'Read it again, put your change on top, and send it with the new `etag`.',
  ),
  STORAGE_QUOTA_REACHED: tell(
    'The organization stores as many bytes of configuration or of code as the operator allows, or the document has more than any may.',
    'Remove versions, sites or parts that are not needed any more, or ask the operator for more.',
  ),
  BODY_TOO_LARGE: tell('The body is larger than the service takes.', 'Send less at once, or ask the operator for a larger `BODY_LIMIT`.'),
  FILE_TOO_LARGE: tell('The file is larger than is served.', 'Make it smaller, or keep it out of the repository.'),
  CONTENT_TYPE_UNSUPPORTED: tell('The body is of a type that the call does not take.', 'Send the `content-type` that the reference names.'),
  CONTENT_ENCODING_UNSUPPORTED: tell(
    'The body is compressed, which no call understands.',
    'Send it as it is: without `content-encoding`, or with `identity`.',
  ),
  RANGE_INVALID: tell('The file ends before the range that was asked for.', 'Ask for a range within the size in `content-range`.'),
  RATE_LIMITED: tell(
    'The caller sent more requests than are allowed.',
    'Wait as many seconds as `retry-after` says, and spread the calls.',
  ),
  INTERNAL: tell('An unexpected error occurred.', 'Try again. If the problem remains, give the operator the `requestId`.'),
  STORAGE_DAMAGED: tell(
    'The database holds something else than was stored there; it is not served, and nothing was changed.',
    'Tell the operator at once: the database, or what is named, is restored from a backup.',
  ),
  NOT_OFFERED: tell(
    'The public service has this call, and this service does not.',
    'Leave it out: the sentence says why there is nothing to do. [What is offered](reference/what-is-offered.md) lists all calls.',
  ),
  CONTENT_SOURCE_NOT_SERVED: tell(
    'Pages of this kind of content source are not served here.',
    'Use a content source of the type `markup`.',
  ),
  AUTHOR_UNREACHABLE: tell('The authoring system does not respond.', 'Check its address and that it runs, and try again.'),
  AUTHOR_ANSWER_REFUSED: tell(
    'The authoring system answered with something that is not passed on.',
    'Ask for less at once, and check that the host is an authoring system.',
  ),
  CONTENT_UNREACHABLE: tell(
    'The content source does not respond as expected.',
    'Open the delivery address of the site by itself, and fix what that shows.',
  ),
  CODE_HOST_UNREACHABLE: tell('The code host does not respond.', 'Try again later. Its status page may tell more.'),
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
  GIT_BUSY: tell('Too many git clients are served at this moment.', 'Run the git command again after `retry-after`.'),
  OVERLOADED: tell(
    'This organization, or all of them, sent more requests at once than can be answered within a second.',
    'Send the same call again after `retry-after`, and fewer at once.',
  ),
  SHUTTING_DOWN: tell('This node of the service is stopping.', 'Send the same call again after `retry-after`.'),
  STORAGE_UNAVAILABLE: tell(
    'The storage does not respond.',
    'Try again, a write after you read what is stored; the operator checks the database.',
  ),
  AUTHOR_TIMEOUT: tell('The authoring system took too long.', 'Try again, or ask it for less at once.'),
  STORAGE_FULL: tell('The storage is full; nothing was changed.', 'Tell the operator to make room; no restart is needed.'),
};

function tell(meaning: string, advice: string): ErrorAdvice {
  return { meaning, advice };
}

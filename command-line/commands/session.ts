import { sessionEndpoints } from '@repoless/contract/session.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { pollDeviceSignIn, startDeviceSignIn } from '@repoless/core/api/device-sign-in.ts';
import { exchange } from '@repoless/core/api/exchange.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { readCredential } from '@repoless/upstream/credential.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must, openTokenStore } from '../connect.ts';
import { failureLine, notKnown } from '../explain.ts';
import { signInAtHosted } from '../hosted-sign-in.ts';

/** Signs in by a device authorization (RFC 8628) and stores the token. The token itself is never shown. */
export async function login(context: CliContext, options: Options): Promise<CommandResult> {
  const { service, hosted } = await connect(context, options);
  if (hosted !== undefined) return await loginAtHosted(context, options, { service, page: service });
  const { fetch, signal, wait, now } = context;
  const anonymous = createClient({ service, token: async () => undefined, fetch });
  const behind = must(await createServicePort(anonymous).info(), notKnown).hosted;
  if (behind !== undefined) return await loginAtHosted(context, options, { service, page: behind });
  const device = must(await startDeviceSignIn(anonymous), notKnown);
  context.err(`${messages.login.open(device.verification_uri_complete, device.user_code)}\n`);
  const signIn = await pollDeviceSignIn(anonymous, device, { signal, wait, now });
  switch (signIn.outcome) {
    case 'denied':
    case 'expired':
    case 'stopped':
      throw new CommandFailure(messages.login[signIn.outcome]);
    case 'failed':
      throw new CommandFailure(failureLine(signIn.failure));
    case 'signed-in':
      break;
    default:
      signIn satisfies never;
      throw new CommandFailure(messages.login.stopped);
  }
  const { token, exp } = signIn.token;
  await openTokenStore(context.configDirectory).put(service, { token, exp });
  const client = createClient({ service, token: async () => token, fetch });
  const { email } = must(await createServicePort(client).profile(), notKnown);
  const expires = new Date(exp * 1000).toISOString();
  return { code: 0, json: { service, email, expires }, lines: [messages.login.done(email, service)] };
}

/**
 * The hosted service has no device codes: its page posts the token here, also for a service in front of it. With `--paste`, reads a token
 * or an API key from standard input. Takes the service that the token is stored for, and the address of the page.
 */
async function loginAtHosted(
  context: CliContext,
  options: Options,
  { service, page }: { readonly service: string; readonly page: string },
): Promise<CommandResult> {
  const [site] = options.sites;
  if (!options.paste && (options.organization === undefined || site === undefined)) throw new UsageProblem(messages.login.whichSite);
  const token = options.paste
    ? (await context.readIn()).trim()
    : await signInAtHosted(context, page, { org: options.organization ?? '', site: site ?? '' });
  const { kind, expires } = readCredential(token);
  if (token === '' || kind === 'site-token') throw new CommandFailure(messages.login.siteTokenOnly);
  const exp = expires ?? Math.floor(context.now().getTime() / 1000) + 24 * 3600;
  await openTokenStore(context.configDirectory).put(service, { token, exp });
  const signedIn = await connect(context, options);
  const { email } = must(await createServicePort(signedIn.client).profile(), notKnown);
  return { code: 0, json: { service, email, expires: new Date(exp * 1000).toISOString() }, lines: [messages.login.done(email, service)] };
}

/** Ends the session, or with `--everywhere` every session of the person, and deletes the stored token. */
export async function logout(context: CliContext, options: Options): Promise<CommandResult> {
  const { service, client, signedIn, token, notAccepted, hosted } = await connect(context, options);
  const forget = async () => {
    await openTokenStore(context.configDirectory).remove(service);
    return { code: 0, json: { service }, lines: [messages.logout.forgotten(service)] } as const;
  };
  // The hosted service has no call to end a session of a command line.
  if (hosted !== undefined) return await forget();
  if (!signedIn || token === undefined) throw new CommandFailure(messages.login.needed);
  if (must(await createServicePort(client).info(), notKnown).hosted !== undefined) return await forget();
  const answer = await client.call(sessionEndpoints.profile, { params: {} });
  if (!answer.ok) throw new CommandFailure(answer.failure.status === 401 ? notAccepted : failureLine(answer.failure));
  const { email } = answer.value.profile;
  if (options.everywhere) {
    const ended = await client.call(sessionEndpoints.endSessions, { params: { email } });
    if (!ended.ok) throw new CommandFailure(failureLine(ended.failure));
  } else {
    // Redirects to a page; only the status matters here.
    const left = await exchange(context.fetch, `${service}/logout`, { headers: { 'x-auth-token': token } });
    if (!left.ok) throw new CommandFailure(failureLine(left.failure));
    if (left.received.status !== 302) throw new CommandFailure(messages.logout.failed(left.received.status));
  }
  const tokens = openTokenStore(context.configDirectory);
  // A token from the environment may belong to somebody else, whose session continues.
  if (options.everywhere || (await tokens.get(service))?.token === token) await tokens.remove(service);
  const sentence = options.everywhere ? messages.logout.everywhere : messages.logout.done;
  return { code: 0, json: { service, email, everywhere: options.everywhere }, lines: [sentence(email, service)] };
}

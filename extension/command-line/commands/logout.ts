import { sessionEndpoints } from '#contract/session-endpoints.ts';
import { exchange } from '#extension/api/exchange.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { connect } from '../connect.ts';
import { failureLine } from '../explain.ts';
import { CommandFailure } from '../cli-context.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { openTokenStore } from '../token-store.ts';

/** Ends the session, or with `--everywhere` every session of the person, and forgets the token that was kept. */
export async function logout(context: CliContext, options: Options): Promise<CommandResult> {
  const { service, client, signedIn, token, notAccepted } = await connect(context, options);
  if (!signedIn || token === undefined) throw new CommandFailure(messages.login.needed);
  const answer = await client.call(sessionEndpoints.profile, { params: {} });
  if (!answer.ok) throw new CommandFailure(answer.failure.status === 401 ? notAccepted : failureLine(answer.failure));
  const { email } = answer.value.profile;
  if (options.everywhere) {
    const ended = await client.call(sessionEndpoints.endSessions, { params: { email } });
    if (!ended.ok) throw new CommandFailure(failureLine(ended.failure));
  } else {
    // It leads to a page, which nobody looks at here.
    const left = await exchange(context.fetch, `${service}/logout`, { headers: { 'x-auth-token': token } });
    if (!left.ok) throw new CommandFailure(failureLine(left.failure));
    if (left.received.status !== 302) throw new CommandFailure(messages.logout.failed(left.received.status));
  }
  const tokens = openTokenStore(context.configDirectory);
  // One from the environment may be another's, whose session goes on.
  if (options.everywhere || (await tokens.get(service))?.token === token) await tokens.remove(service);
  const sentence = options.everywhere ? messages.logout.everywhere : messages.logout.done;
  return { code: 0, json: { service, email, everywhere: options.everywhere }, lines: [sentence(email, service)] };
}

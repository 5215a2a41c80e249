import { createClient } from '#extension/api/client.ts';
import { pollDeviceSignIn, startDeviceSignIn } from '#extension/api/device-sign-in.ts';
import { createServicePort } from '#extension/api/service-port.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { connect, must } from '../connect.ts';
import { failureLine, notKnown } from '../explain.ts';
import { CommandFailure } from '../cli-context.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { openTokenStore } from '../token-store.ts';

/** Signs in by a device authorization (RFC 8628) and keeps the token. The token itself is never shown. */
export async function login(context: CliContext, options: Options): Promise<CommandResult> {
  const { service } = await connect(context, options);
  const { fetch, signal, wait, now } = context;
  const anonymous = createClient({ service, token: async () => undefined, fetch });
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

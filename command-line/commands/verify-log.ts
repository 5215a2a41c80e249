import { auditEndpoints } from '@repoless/contract/audit.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect } from '../connect.ts';
import { failureLine } from '../explain.ts';

/** Whether the organization's audit trail is unchanged. 0: it is; 3: it is not. */
export async function verifyLog(context: CliContext, options: Options): Promise<CommandResult> {
  const { organization } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const { client, signedIn } = await connect(context, options);
  if (!signedIn) throw new CommandFailure(messages.login.needed);
  let after: number | undefined;
  for (;;) {
    const query = after === undefined ? {} : { after };
    const answered = await client.call(auditEndpoints.verifyLog, { params: { org: organization }, query });
    if (!answered.ok) throw new CommandFailure(failureLine(answered.failure));
    const { verified, hash, broken, links } = answered.value;
    if (broken !== undefined)
      return { code: 3, json: { intact: false, broken }, lines: [messages.verifyLog.broken(organization, broken.sentence)] };
    if (links.next === undefined)
      return {
        code: 0,
        json: { intact: true, entries: verified.to, hash },
        lines: [messages.verifyLog.intact(organization, verified.to, hash)],
      };
    after = verified.to;
  }
}

import type { Context } from '../context.ts';
import type { Subject, Writes } from '../ports.ts';
import { requireUser } from '../roles/permit.ts';

/** The audit row of a change of the history itself. */
export async function auditHistory(
  context: Context,
  writes: Writes,
  subject: Subject,
  operation: 'name' | 'delete',
  version: number,
): Promise<void> {
  const { org } = subject;
  await writes.addAudit({
    org,
    time: context.now(),
    user: requireUser(context.caller).email,
    action: subject.kind === 'profile' ? `${operation}-profiles/${subject.profile}/version/${version}` : `${operation}-version/${version}`,
    requestId: context.requestId,
    ...(subject.kind === 'site' ? { site: subject.site } : {}),
  });
}

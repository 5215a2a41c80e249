import type { Call, Step } from './plan.ts';
import type { SetupPorts } from './ports.ts';
import { retry } from './retry.ts';
import type { Failure, Known, Target } from './situation.ts';
import { verifyHost } from './verify-host.ts';
import type { Verifying } from './verify-host.ts';

/** Takes one step that is not done yet. Out: undefined when it is taken, else why not. */
export async function takeStep(run: Verifying, step: Step, target: Target): Promise<Failure | undefined> {
  if (step.call === undefined) return undefined;
  const { call } = step;
  if (step.state.kind === 'verify') return verifyHost(run, call, target);
  const answer = await retry(run, () => make(run.ports, step, call));
  if (answer.state === 'failed') return answer.failure;
  return answer.state === 'missing' && call.method !== 'DELETE' ? { kind: 'refused', status: 404 } : undefined;
}

/** Making a page is the one call that must not be made twice (a second would make a second page): it is looked for first. */
async function make(ports: SetupPorts, step: Step, call: Call): Promise<Known<unknown>> {
  if (call.target === 'service') return ports.service.send(call);
  if (step.id === 'configuration-page' && step.state.kind === 'create') {
    const page = await ports.authoring.page(createdPage(call));
    if (page.state !== 'missing') return page;
  }
  return ports.authoring.send(call);
}

function createdPage({ body }: Call): string {
  const fields = new Map(body?.type === 'form' ? body.fields : []);
  return `${fields.get('parentPath') ?? ''}/${fields.get('label') ?? ''}`;
}

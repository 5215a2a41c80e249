import type { Gate } from '../go-live/gate.ts';
import { GATE_PARTS, takeGatePart } from '../go-live/take-gate.ts';
import type { GateRun } from '../go-live/take-gate.ts';
import { NOT_FOUND } from './failure-of.ts';
import type { Call, Step } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { retry } from './retry.ts';
import { sendConfirmed } from './send-confirmed.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import type { Failure, Known, Target } from '../situation/situation.ts';
import { verifyHost } from './verify-host.ts';
import type { Verifying } from './verify-host.ts';

/** Takes one step that is not done yet. `gate` is that of the site, absent on the way back. Out: undefined when it is taken, else why not. */
export async function takeStep(run: GateRun & Verifying, step: Step, target: Target, gate: Gate | undefined): Promise<Failure | undefined> {
  const part = GATE_PARTS.find((id) => id === step.id);
  if (part !== undefined && gate !== undefined) return takeGatePart(run, gate, part);
  if (step.call === undefined) return undefined;
  const { call } = step;
  if (step.state.kind === 'verify') return verifyHost(run, call, target);
  for (const each of [call, ...(step.further ?? [])]) {
    const answer = await retry(run, () => make(run, step, each));
    if (answer.state === 'failed') return answer.failure;
    if (answer.state === 'missing' && each.method !== 'DELETE') return NOT_FOUND;
  }
  return undefined;
}

/**
 * Creating a page is the one call that must not be repeated (there would be two), so it is looked up first. So is a page that is changed: Sling
 * would recreate a deleted one.
 */
async function make(run: Verifying, step: Step, call: Call): Promise<Known<unknown>> {
  const { ports } = run;
  if (call.target === 'service') return write(ports, call);
  if (step.id === 'configuration-page' && step.state.kind === 'create') {
    const page = await ports.authoring.page(createdPage(call));
    if (page.state !== 'missing') return page;
  }
  if (step.id === 'select-configuration') {
    const page = await ports.authoring.page(call.address.replace(/^https?:\/\/[^/]+|\/_jcr_content$/g, ''));
    if (page.state !== 'known') return page;
  }
  return sendConfirmed(run, call);
}

/** Writes with the etag of what the plan knows to be stored; refused as the service would where it is something else by now. */
async function write(ports: SetupPorts, call: Call): Promise<Known<unknown>> {
  if (call.replaces === undefined) return ports.service.send(call);
  const stored = await ports.service.stored(call.address);
  if (stored.state === 'failed') return stored;
  const value = stored.state === 'known' ? stored.value.value : undefined;
  if (!sameValue(value, call.replaces.value)) return { state: 'failed', failure: CHANGED };
  return ports.service.send({ ...call, ...(stored.state === 'known' ? { ifMatch: stored.value.etag } : { ifNoneMatch: '*' }) });
}

const CHANGED: Failure = { kind: 'refused', status: 412, finding: { kind: 'changed-meanwhile' } };

function createdPage({ body }: Call): string {
  const fields = new Map(body?.type === 'form' ? body.fields : []);
  return `${fields.get('parentPath') ?? ''}/${fields.get('label') ?? ''}`;
}

import { sameValue } from '@repoless/contract/json.ts';
import type { Site, SiteInput } from '@repoless/contract/site.ts';
import { DECIDED_PARTS, type DecidedPart, withoutServerFields } from '../plan/desired-site.ts';
import type { Pace } from '../run/retry.ts';
import type { Call } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { putSite } from '../situation/site-calls.ts';
import type { SiteConfigurations } from '../situation/situation.ts';
import { authorOf } from './organization-sites.ts';
import { authorOfRow, targetOfRow } from './row-site.ts';
import type { Batch, NotRevertedReason, PlannedStep, SiteRow } from './rows.ts';

const PUT_BACK = 'put back: the move did not succeed';
/** How often a site is read again because it was written between reading and reverting. */
const ROUNDS = 3;

/** The site of a row that moves. It has visitors, so it is reverted if the row fails. */
export interface MovingSite {
  /** The step is about to be taken: from now on the site may be in the new environment. */
  begin(step: PlannedStep): void;
  taken(step: PlannedStep): void;
  /** Restores the site, whatever stops the run; nothing is written if it is not in the new environment. */
  revertOne(): Promise<void>;
  /** Why the site is, or may be, in the new environment to which this run moved it, although its row failed. */
  left(): NotRevertedReason | undefined;
  /** The same for a site that was already there: this run doesn't know its previous values. */
  wasThere(): NotRevertedReason | undefined;
}

interface MoveContext {
  readonly ports: SetupPorts;
  readonly batch: Batch;
  readonly pace: Pace;
  onCall(call: Call): void;
  onWaiting(attempt: number): void;
}

interface Sent {
  readonly before: Site;
  readonly after: SiteInput;
  readonly isAcknowledged: boolean;
}

export function followSite(context: MoveContext, row: SiteRow): MovingSite {
  let sent: Sent | undefined;
  let left: NotRevertedReason | undefined;
  let wasThere = false;
  return {
    begin: ({ restores, call }) => {
      if (restores === undefined || call === undefined) return;
      left = 'left-unknown';
      sent = { before: restores, after: sentSite(call), isAcknowledged: false };
    },
    taken: ({ step, state }) => {
      if (row.move === undefined || step !== 'register-site') return;
      if (sent !== undefined) sent = { ...sent, isAcknowledged: true };
      else wasThere ||= state.kind === 'done';
    },
    revertOne: async () => {
      if (sent === undefined) return;
      left = await revertOne(context, row, sent);
      if (left === undefined) sent = undefined;
    },
    left: () => left,
    wasThere: () => (wasThere ? 'left-moved' : undefined),
  };
}

async function revertOne(context: MoveContext, row: SiteRow, sent: Sent): Promise<NotRevertedReason | undefined> {
  const { ports, batch, pace, onCall, onWaiting } = context;
  const read = () => ports.service.held(batch.organization, row.siteName);
  const isThere = ({ config }: SiteConfigurations) => authorOf(config) === authorOfRow(batch, row);
  const parts = DECIDED_PARTS.filter((part) => !sameValue(valueOf(sent.before, part), valueOf(sent.after, part)));
  for (let round = 1; ; round++) {
    const now = await pace.call(read, onWaiting, 'to-the-end');
    if (now.state === 'failed') return sent.isAcknowledged ? 'left-moved' : 'left-unknown';
    if (now.state === 'missing' || !isThere(now.value)) return undefined;
    const { own, etag } = now.value;
    // Content, mappings and access belong together: someone's change of one is not mixed with previous values of the others.
    if (parts.some((part) => !sameValue(valueOf(own, part), valueOf(sent.after, part)))) return 'left-moved-changed';
    const before = Object.fromEntries(parts.map((part) => [part, sent.before[part]]));
    const call = putSite(targetOfRow(batch, row), { ...withoutServerFields(own), ...before }, PUT_BACK, { ifMatch: etag });
    const answer = await pace.call(() => ports.service.send(call), onWaiting, 'to-the-end');
    if (answer.state === 'known') {
      onCall(call);
      return undefined;
    }
    // Perhaps only the answer was lost.
    if (answer.state === 'missing' || round === ROUNDS || answer.failure.problem?.code !== 'PRECONDITION_FAILED') {
      const last = await read();
      return last.state === 'known' && !isThere(last.value) ? undefined : 'left-moved';
    }
  }
}

/** A part as it was sent: the service adds the identifier of the content. */
function valueOf(site: Site | SiteInput, part: DecidedPart): unknown {
  if (part !== 'content' || site.content === undefined) return site[part];
  const { contentBusId: _id, ...content } = site.content;
  return content;
}

// Safe: the body of the single PUT that `planRow` creates for a row.
function sentSite({ body }: Call): SiteInput {
  return (body?.type === 'json' ? body.value : {}) as SiteInput;
}

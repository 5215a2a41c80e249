import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Pushed, type SignedEvent, signedPush, VendorForm } from './events.ts';

/** The webhook settings of a repository at the vendor. */
export const HookInput = z.object({
  form: VendorForm,
  address: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
  username: z.string().default('webhook'),
});
const Hook = HookInput.extend({ id: z.string(), team: z.string(), repo: z.string() });
export type Hook = z.infer<typeof Hook>;

/** What happens to events: sent correctly, with a wrong signature, twice, or not at all. */
export const EventFault = z.enum(['none', 'wrong-signature', 'twice', 'lost']);
export type EventFault = z.infer<typeof EventFault>;

export interface SentEvent {
  readonly id: string;
  readonly hook: string;
  readonly branch: string;
  readonly time: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
}

export interface Hooks {
  of(team: string, repo: string): Hook[];
  add(team: string, repo: string, input: z.infer<typeof HookInput>): Promise<Hook>;
  remove(id: string): Promise<void>;
  /** Newest first. */
  sent(team: string, repo: string): readonly SentEvent[];
  /** Sends a push to every webhook of its repository. */
  push(pushed: Omit<Pushed, 'id' | 'time'>): Promise<void>;
  /** Sends the same bytes again; false if there is no such event. */
  again(id: string): Promise<boolean>;
  fault: EventFault;
}

/** The webhooks of all repositories, stored in `hooks.json`. */
export async function openHooks(folder: string): Promise<Hooks> {
  const file = join(folder, 'hooks.json');
  const kept = await readFile(file, 'utf8').catch(() => '[]');
  let hooks = z.array(Hook).parse(JSON.parse(kept));
  const events: (SentEvent & { readonly bytes: SignedEvent; readonly hook: string })[] = [];
  const save = () => writeFile(file, JSON.stringify(hooks, null, 2), { mode: 0o600 });

  const send = async (hook: Hook, branch: string, bytes: SignedEvent, id: string) => {
    const answer = await fetch(hook.address, { method: 'POST', ...bytes, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    events.unshift({ id, hook: hook.id, branch, time: new Date().toISOString(), status: answer?.status, bytes });
    events.length = Math.min(events.length, MOST_EVENTS);
  };

  const opened: Hooks = {
    fault: 'none',
    of: (team, repo) => hooks.filter((hook) => hook.team === team && hook.repo === repo),
    async add(team, repo, input) {
      const hook = { ...input, id: randomUUID(), team, repo };
      hooks = [...hooks, hook];
      await save();
      return hook;
    },
    async remove(id) {
      hooks = hooks.filter((hook) => hook.id !== id);
      await save();
    },
    sent(team, repo) {
      const here = new Set(opened.of(team, repo).map(({ id }) => id));
      return events.filter(({ hook }) => here.has(hook)).map(({ id, hook, branch, time, status }) => ({ id, hook, branch, time, status }));
    },
    async push(pushed) {
      if (opened.fault === 'lost') return;
      for (const hook of opened.of(pushed.team, pushed.repo)) {
        const id = randomUUID();
        const secret = opened.fault === 'wrong-signature' ? `${hook.secret}-wrong` : hook.secret;
        const bytes = signedPush(hook.form, { ...pushed, id, time: new Date() }, { secret, username: hook.username });
        for (let times = opened.fault === 'twice' ? 2 : 1; times > 0; times -= 1) await send(hook, pushed.branch, bytes, id);
      }
    },
    async again(id) {
      const event = events.find((one) => one.id === id);
      const hook = hooks.find((one) => one.id === event?.hook);
      if (event === undefined || hook === undefined) return false;
      await send(hook, event.branch, event.bytes, id);
      return true;
    },
  };
  return opened;
}

const MOST_EVENTS = 50;

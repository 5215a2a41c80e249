import { z } from 'zod';
import { type ReceivedRequest, isWrite } from './received-request.ts';

const named = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

/** Behaviors that are not certain from outside, or that vary over time: each can be chosen while the stand-in runs. */
export const HostedSwitches = z.strictObject({
  /** Whether `x-error` starts with `[admin] `. */
  prefix: z.boolean().default(true),
  /** Form of the lists of secrets, tokens and API keys; `absent`: 404 if there are none. */
  lists: z.enum(['map', 'array', 'absent']).default('map'),
  jobDetailsStatus: z.union([z.literal(200), z.literal(202)]).default(202),
  /** What happens to the code source type `byogit`. */
  byogit: z.enum(['github', 'byogit', 'refused']).default('github'),
  /** Whether code with only `source` is accepted. */
  sourceAlone: z.boolean().default(true),
  /** A complete POST without `apiKeys`, `secrets` or `tokens` removes them. */
  wholePostDropsKeys: z.boolean().default(true),
  /** A complete POST that includes them preserves their entries, but their values no longer work. */
  wholePostBreaksKeys: z.boolean().default(false),
  /** `retry-after` with 429. */
  retryAfter: z.boolean().default(false),
  /** Per organization; 0 for no limit. */
  requestsPerSecond: z.number().int().min(0).default(10),
  /** Delay between a write and `/config.json` of the hosts. Lowering it also applies to pending writes. */
  configDelayMs: z.number().int().min(0).default(0),
  /** Files of the content store by `org/site`, which shadow all others: path and body. */
  contentFiles: named(named(z.string())).default({}),
  /** Files of the code by `owner/repo`: path and body. A `/config.json` shadows that of every site of the repository. */
  codeFiles: named(named(z.string())).default({}),
  /** Organizations whose configuration names no repository with the vendor's app. */
  appMissing: z.array(z.string()).default([]),
  /** Whether a code sync of an external repository started here is executed. */
  syncsExternal: z.boolean().default(true),
  /** The git vendor refuses the secret: jobs fail. */
  hlxignoreRefused: z.boolean().default(false),
  /** Duration of a code job. */
  jobMs: z.number().int().min(0).default(0),
  versionsSurviveDelete: z.boolean().default(false),
  /** Versions name their authors. */
  versionsNameUser: z.boolean().default(false),
  /** Whether `robots.txt` accepts a text body. */
  robotsText: z.boolean().default(true),
  /** HEAD is answered like GET instead of 405. */
  head: z.boolean().default(false),
  /** Whether an IMS token of the editor is accepted as Bearer. */
  ims: z.boolean().default(true),
  /** Whether the page of the loopback sign-in sends `authToken`. */
  loopbackAuthToken: z.boolean().default(true),
  /** Sites, as `org/site`, that are announced as upgraded, with a link to the successor. */
  upgraded: z.array(z.string()).default([]),
  /** Whether the successor creates sites; otherwise it answers 404. */
  successorCreates: z.boolean().default(true),
  /** Whether the successor accepts only API keys that `access.admin.apiKeyId` lists. */
  successorNeedsKeyId: z.boolean().default(true),
  /** Hosts of content sources that belong to another tenant. */
  tenantLocks: z.array(z.string()).default([]),
});
export type HostedSwitches = z.infer<typeof HostedSwitches>;

/** A fault injected into a request. */
export const HostedFault = z.strictObject({
  /**
   * `answer`: another status than its own. `hang`: no response until the stand-in is closed. `cut`: the connection ends without a response.
   * `foreign`: someone else writes just before.
   */
  kind: z.enum(['answer', 'hang', 'cut', 'foreign']),
  /** Whether the request takes effect nevertheless. */
  takesEffect: z.boolean().default(true),
  /** `answer`: the status. */
  status: z.number().int().default(500),
  /** `foreign`: what is written, at an H5 address. */
  write: z.object({ method: z.string(), path: z.string(), body: z.unknown() }).optional(),
  /** Only requests of this method; if omitted, all writes. */
  method: z.string().optional(),
  /** Only requests whose H5 path starts with this. */
  path: z.string().default('/'),
  /** Requests skipped first. */
  skip: z.number().int().default(0),
  /** Requests affected. */
  times: z.number().int().default(1),
});
export type HostedFault = z.input<typeof HostedFault>;
type Fault = z.output<typeof HostedFault>;

interface PlannedFaults {
  add(fault: HostedFault): void;
  /** The faults of a request, which uses them up. */
  take(request: Pick<ReceivedRequest, 'method' | 'path'>): readonly Fault[];
}

export function plannedFaults(): PlannedFaults {
  let planned: { readonly fault: Fault; skip: number; times: number }[] = [];
  return {
    add(input) {
      const fault = HostedFault.parse(input);
      planned.push({ fault, skip: fault.skip, times: fault.times });
    },
    take({ method, path }) {
      const matching = planned.filter(
        ({ fault }) => (fault.method === undefined ? isWrite(method) : fault.method === method) && path.startsWith(fault.path),
      );
      const due = matching.filter((one) => one.skip-- <= 0 && one.times-- > 0);
      planned = planned.filter(({ times }) => times > 0);
      return due.map(({ fault }) => fault);
    },
  };
}

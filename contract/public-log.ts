import { z } from 'zod';

const MOMENT_RULE = 'Write a time like 2026-01-31T09:00:00Z.';
const Moment = z
  .string()
  .max(40)
  .refine((value) => !Number.isNaN(Date.parse(value)), MOMENT_RULE);

/** Which part of a log is read: between two times, or for how long until now; the last 15 minutes where nothing is said. */
export const PublicLogQuery = z
  .object({
    from: Moment.optional(),
    to: Moment.optional(),
    since: z
      .string()
      .regex(/^\d{1,9}[smhd]$/, 'Write a number with s, m, h or d, e.g. 15m.')
      .optional(),
    limit: z.coerce.number().int().min(1).max(1000).optional(),
    /** As the page before answered it; its span goes on, whatever the other parameters say. */
    nextToken: z.string().max(200).optional(),
  })
  .refine(({ since, from, to }) => since === undefined || (from === undefined && to === undefined), {
    error: 'Write "since", or "from" and "to", not both.',
    path: ['since'],
  });

/** A change, as clients of the public service read it. */
export const PublicLogEntry = z.object({
  /** Milliseconds since 1970. */
  timestamp: z.number().int(),
  user: z.string(),
  /** As in the audit trail, e.g. `set-public`. */
  action: z.string(),
  /** What kind of call it was. */
  route: z.enum(['config', 'code']),
  /** The address of what was changed, from the root of the service. */
  path: z.string(),
  /** The method that makes such a change at this address. */
  method: z.enum(['PUT', 'POST', 'DELETE']),
  /** How it was answered; what is refused is not in the log. */
  status: z.number().int(),
  org: z.string(),
  site: z.string(),
  /** The versions before and after. */
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  requestId: z.string(),
});
export type PublicLogEntry = z.infer<typeof PublicLogEntry>;

export const PublicLog = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  entries: z.array(PublicLogEntry),
  nextToken: z.string().optional(),
  links: z.object({ next: z.string() }).optional(),
});
export type PublicLog = z.infer<typeof PublicLog>;

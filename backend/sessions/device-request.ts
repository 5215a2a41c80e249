import { z } from 'zod';

/** A device authorization (RFC 8628) under way. Times are milliseconds since 1970. */
export const DeviceRequest = z.object({
  device: z.string(),
  userCode: z.string(),
  /** What the device calls itself; anyone may call itself anything. */
  client: z.string().optional(),
  /** Where it asked from; absent where an older program stored it. */
  network: z.string().optional(),
  begun: z.number(),
  expires: z.number(),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

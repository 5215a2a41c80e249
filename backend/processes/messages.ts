import { z } from 'zod';

const number = z.number().int();

/** What a delivery process is told by that of the service. With `share` comes the server that listens, with `connection` one that it got. */
export const ToDelivery = z.discriminatedUnion('kind', [
  /** The database is ready. `port`: that is listened on; `socket`: where the service takes what is for itself. */
  z.object({ kind: z.literal('begin'), name: z.string(), port: number, socket: z.string() }),
  z.object({ kind: z.literal('share') }),
  z.object({ kind: z.literal('connection') }),
  z.object({ kind: z.literal('news'), number, changes: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal('answer'), number, missed: z.boolean() }),
  z.object({ kind: z.literal('figures'), number }),
  /** It is about to be told to stop. */
  z.object({ kind: z.literal('leave') }),
  /** No connections come after this. `grace`: milliseconds. */
  z.object({ kind: z.literal('stop'), grace: number }),
]);
export type ToDelivery = z.infer<typeof ToDelivery>;

/** What a delivery process says. */
export const FromDelivery = z.discriminatedUnion('kind', [
  /** It could answer now. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('beat') }),
  /** A connection came. */
  z.object({ kind: z.literal('took') }),
  z.object({ kind: z.literal('heard'), number }),
  z.object({ kind: z.literal('ask'), number }),
  z.object({
    kind: z.literal('figures'),
    number,
    figures: z.array(z.custom<object>((one) => typeof one === 'object' && one !== null)).readonly(),
  }),
]);
export type FromDelivery = z.infer<typeof FromDelivery>;

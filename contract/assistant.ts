import { z } from 'zod';

/** A message of JSON-RPC; what is in it is the protocol's, which answers what it does not understand. */
export const AssistantMessage = z.looseObject({ jsonrpc: z.literal('2.0', 'Send one message of JSON-RPC 2.0, not a batch.') });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

import { z } from 'zod';
import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';

/** A message of JSON-RPC; what is in it is the protocol's, which answers what it does not understand. */
export const AssistantMessage = z.looseObject({ jsonrpc: z.literal('2.0', 'Send one message of JSON-RPC 2.0, not a batch.') });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/**
 * The tools for assistants by the Model Context Protocol, each call by itself: nothing is kept between two of them but plans. The
 * token of the authoring system is sent as at the authoring proxy (`x-content-source-authorization`).
 */
export const assistantEndpoints = {
  serveAssistant: endpoint({
    method: 'POST',
    path: '/mcp',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { media: ['application/json'], schema: AssistantMessage, form: false },
    permission: 'signed-in',
    outside: 'assistants',
    answers: {
      200: {
        description: 'the response to a request of the protocol, errors included',
        media: ['application/json'],
        schema: AssistantMessage,
      },
      202: { description: 'the notification was accepted' },
    },
    errors: [],
    tag: 'Assistants',
    summary: 'Serve an assistant through the Model Context Protocol (streamable HTTP)',
  }),
} as const;

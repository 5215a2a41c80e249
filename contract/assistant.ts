import { z } from 'zod';
import { answer, endpoint, json, NO_PARAMS, NO_QUERY } from './endpoint.ts';

/** A JSON-RPC message. Its content belongs to the protocol, which answers what it does not understand. */
export const AssistantMessage = z.looseObject({ jsonrpc: z.literal('2.0', 'Send one message of JSON-RPC 2.0, not a batch.') });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/**
 * The tools for assistants over the Model Context Protocol. Calls are independent: only plans are stored between them. The
 * authoring system's token is sent in `x-content-source-authorization`, as to the authoring proxy.
 */
export const assistantEndpoints = {
  serveAssistant: endpoint({
    method: 'POST',
    path: '/mcp',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { ...json(AssistantMessage), form: false },
    permission: 'signed-in',
    outside: 'assistants',
    answers: {
      200: answer('the response to a request of the protocol, errors included', AssistantMessage),
      202: { description: 'the notification was accepted' },
    },
    errors: [],
    tag: 'Assistants',
    summary: 'Serve an assistant through the Model Context Protocol (streamable HTTP)',
  }),
} as const;

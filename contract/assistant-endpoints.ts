import { AssistantMessage } from './assistant.ts';
import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';

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

import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const ProxyParams = z.object({
  /** Host and port of the author, as in the allow list. */
  host: z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'Write the host name of an author.'),
  path: z.string(),
});
const proxy = {
  path: '/authoring/{host}/{path*}',
  params: ProxyParams,
  query: z.looseObject({}),
  permission: 'signed-in',
  answers: {
    200: {
      description: 'the response of the authoring system, with its status and body (any status is forwarded)',
      media: ['application/octet-stream'],
    },
  },
  tag: 'Authoring proxy',
  proxies: true,
} as const;
const errors = [
  'NOT_AUTHENTICATED',
  'AUTHOR_NOT_ALLOWED',
  'AUTHOR_PATH_NOT_ALLOWED',
  'AUTHOR_UNREACHABLE',
  'AUTHOR_TIMEOUT',
  'AUTHOR_ANSWER_REFUSED',
] as const;

/**
 * The authoring proxy to the authoring system: the browser cannot call it without CORS settings there. It carries the caller's own
 * authoring token (`x-content-source-authorization`) and answers what the authoring system answers, with the header
 * `x-relayed: true`; an error of the authoring proxy itself is a problem document without that header.
 */
export const authoringEndpoints = {
  readAuthoring: endpoint({ method: 'GET', ...proxy, errors, summary: 'Read from the authoring system' }),
  writeAuthoring: endpoint({
    method: 'POST',
    outside: 'proxy',
    ...proxy,
    body: { media: ['application/x-www-form-urlencoded'], schema: z.unknown() },
    errors: [...errors, 'BODY_INVALID', 'BODY_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED', 'CONTENT_ENCODING_UNSUPPORTED'],
    summary: 'Write to the authoring system',
  }),
} as const;

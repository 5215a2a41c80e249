import { CodeCheck, CodeCheckQuery } from './code-check.ts';
import { endpoint } from './endpoint.ts';
import { SiteParams } from './site-endpoints.ts';

export const codeCheckEndpoints = {
  /** The site need not exist: it is asked before one is registered. */
  checkCode: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/code/check.json',
    params: SiteParams,
    query: CodeCheckQuery,
    permission: 'config:write',
    answers: {
      200: { description: 'the answer of the code source, whatever it is', media: ['application/json'], schema: CodeCheck },
    },
    errors: ['ORG_NOT_FOUND'],
    tag: 'Code',
    summary: 'Check a code source before a site uses it',
  }),
} as const;

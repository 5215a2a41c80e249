import { ERROR_ADVICE } from '@repoless/contract/error-advice.ts';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import { expect, it } from 'vitest';

it('tells of every error code in docs/errors.md: where it does not, run "npm run docs"', async () => {
  await expect(renderErrors()).toMatchFileSnapshot(new URL('../../docs/errors.md', import.meta.url).pathname);
});

/** The page of error codes: each with its status, what it means, and what to do. */
function renderErrors(): string {
  const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);
  const rows = codes.map((code) => [`[${code}](#${code.toLowerCase()})`, String(ERRORS[code].status), ERRORS[code].title]);
  const sections = codes.map((code) => {
    const { meaning, advice } = ERROR_ADVICE[code];
    return `## ${code}\n\n\`${ERRORS[code].status}\` · \`urn:repoless:error:${code.toLowerCase()}\`\n\n${meaning} **${advice}**`;
  });
  return `${[
    '# Error codes',
    '<!-- Created by `npm run docs` from contract/errors.ts and contract/error-advice.ts. Do not edit. -->',
    `A refused call changes nothing. Its answer has one sentence in the header \`x-error\`, one of these codes in \`x-error-code\`, and a
problem document (RFC 9457) as its body, whose \`type\` is \`urn:repoless:error:<code>\` in lower case. The codes
are stable; sentences may change. \`errors\` of the body says for each invalid field what to write, \`data\` holds names that a client may
act on, and \`requestId\` is what an operator looks for in the log.`,
    [['Code', 'Status', 'Title'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...sections,
  ].join('\n\n')}\n`;
}

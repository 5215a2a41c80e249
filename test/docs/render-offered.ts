import { aliasesOf } from '#contract/aliases.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { NOT_OFFERED } from '#contract/not-offered.ts';
import { table } from './render-call.ts';

/** The page of all calls with all their addresses, by the pages that describe them, and of those that are not offered. */
export function renderOffered(pages: ReadonlyMap<string, readonly Endpoint[]>, made: string): string {
  const offered = [...pages].map(([page, rows]) => `## ${page}\n\n${table(['Call', 'Also at', 'What it does'], rows.map(offeredRow))}`);
  const refused = NOT_OFFERED.map(({ paths, method, what, why }) => [
    paths.map((path) => `\`${method === undefined ? '' : `${method} `}${path}\``).join(', '),
    `${what}: ${why}.`,
  ]);
  return [
    '# What is offered',
    made,
    `Clients of the public service work here after changing the base address alone. These are the calls that they find, each with the addresses of
both generations; what they are answered otherwise is in [0033](../decisions/0033-what-is-answered-otherwise.md).`,
    ...offered,
    '## Not offered',
    `These are answered 501 [NOT_OFFERED](../errors.md#not_offered) with this sentence, whoever asks; nothing is looked up. Smaller things that are left
out are in [0034](../decisions/0034-what-of-the-public-api-is-not-here.md).`,
    table(['Calls', 'Why'], refused),
  ].join('\n\n');
}

function offeredRow({ method, path, summary }: Endpoint): string[] {
  const others = aliasesOf(path).map((alias) => `\`${alias.path}\``);
  return [`\`${method} ${path}\``, others.join(', '), summary];
}

import { createHash } from 'node:crypto';
import { unescaped } from '#contract/addresses.ts';
import type { FieldError } from '#contract/errors.ts';
import type { ContentSource } from '#contract/site.ts';
import { Refusal } from '../errors.ts';

/** Sets what the service sets in a content source: the suffix of markup where it is left out, and `contentBusId`. */
export function completeContent(content: ContentSource): { content: ContentSource; errors: FieldError[] } {
  const { source } = content;
  const url = new URL(source.url);
  const errors: FieldError[] =
    url.username === '' && url.password === ''
      ? []
      : [{ pointer: '/content/source/url', detail: 'Leave user name and password out of the address; it can be read by others.' }];
  const suffix = source.type === 'markup' ? { suffix: source.suffix ?? DEFAULT_SUFFIX } : {};
  const contentBusId = createHash('sha256').update(source.url).digest('hex').slice(0, CONTENT_BUS_ID_LENGTH);
  return { content: { ...content, contentBusId, source: { ...source, ...suffix } }, errors };
}

/** Refuses a delivery address of another site: its org and site must equal those of the path (docs/contract.md 3.4). */
export function checkDeliveryAddress(content: ContentSource, org: string, site: string): void {
  const [, bin, delivery, urlOrg = '', urlSite = ''] = unescaped(new URL(content.source.url).pathname).split('/');
  if (bin !== 'bin' || delivery?.endsWith('.delivery') !== true) return;
  if (urlOrg === org && urlSite === site) return;
  throw new Refusal(
    'CONTENT_ADDRESS_MISMATCH',
    `The content address belongs to site "${urlOrg}/${urlSite}", but this is site "${org}/${site}".`,
    {
      detail: `The content address belongs to site "${urlOrg}/${urlSite}", but this is site "${org}/${site}". Write …/bin/<connector>.delivery/${org}/${site}/main.`,
      data: { org: urlOrg, site: urlSite },
      errors: [{ pointer: '/content/source/url', detail: `Write the delivery address of ${org}/${site}.` }],
    },
  );
}

const DEFAULT_SUFFIX = '.html';
const CONTENT_BUS_ID_LENGTH = 59;

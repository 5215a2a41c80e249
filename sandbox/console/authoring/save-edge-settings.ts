import { z } from 'zod';
import { CsrfToken, EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';
import type { EdgeSettings, EdgeValues } from './page-properties.ts';
import { readSling } from './sling.ts';
import type { Author } from './sling.ts';

/** Saves what differs, as the dialog of the authoring system does: one Sling POST with a CSRF token. Rejects with a sentence. */
export async function saveEdgeSettings(author: Author, before: EdgeSettings, values: EdgeValues): Promise<void> {
  const fields = changedFields(before, values);
  if (fields.length === 0) return;
  const { token } = CsrfToken.parse(await readSling(author, '/libs/granite/csrf/token'));
  const answer = await fetch(`/author/${author.environment.id}${encodeURI(before.path)}/${EDGE_CONFIGURATION}/_jcr_content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}`, accept: 'application/json' },
    body: new URLSearchParams([['_charset_', 'utf-8'], ...fields, [':cq_csrf_token', token]]),
  });
  if (!answer.ok) throw new Error(refusal(answer.status, await answer.text()));
}

/** An emptied value is removed; one that is as it was is not sent, so that a value of the environment is not written down. */
function changedFields(before: EdgeSettings, values: EdgeValues): [string, string][] {
  return EDGE_FIELDS.flatMap(({ key, property }): [string, string][] => {
    const value = values[key] ?? '';
    if (value === (before[key] ?? '')) return [];
    return [value === '' ? [`./${property}@Delete`, 'true'] : [`./${property}`, value]];
  });
}

/** In Sling's JSON the sentence is `status.message`; where a request does not get as far as Sling it is the whole text. */
function refusal(status: number, text: string): string {
  const sentence = sentenceIn(text);
  return `The authoring system returned ${status}${sentence === '' ? '.' : `: ${sentence}`}`;
}

function sentenceIn(text: string): string {
  try {
    return Refused.parse(JSON.parse(text))['status.message'];
  } catch {
    return text.trim();
  }
}

const Refused = z.looseObject({ 'status.message': z.string() });

import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { findingsOf } from './organization-rows.ts';
import type { SiteGridRow } from './organization-rows.ts';

interface Wording {
  readonly messages: Pick<MessagesOf<'sites'>, 'overview' | 'siteKinds'>;
  readonly states: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
  readonly addressesOf: (site: string) => { readonly preview: string; readonly live: string };
}

/**
 * Sites as a table for a spreadsheet (RFC 4180), with a line of heads. A text that a spreadsheet would take for a formula is
 * marked as a text: names and paths are what somebody typed.
 */
export function sitesCsv(rows: readonly SiteGridRow[], { messages, states, titles, addressesOf }: Wording): string {
  const lines = rows.map((row) => {
    const { site, state, kept } = row;
    const { preview, live } = addressesOf(site.name);
    const findings = findingsOf(row).map((check) => titles[check] ?? check);
    return [
      site.name,
      states[state] ?? state,
      findings.join('; '),
      kept?.checkedAt ?? '',
      messages.siteKinds[site.kind],
      site.base ?? '',
      site.repository ?? '',
      site.author ?? '',
      site.contentRoot ?? '',
      preview,
      live,
    ];
  });
  return [messages.overview.csvColumns, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

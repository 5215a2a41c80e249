import { toCurl } from '../plan/to-curl.ts';
import type { Call } from '../situation/call.ts';
import { authorOfRow, rowAddresses } from './row-site.ts';
import type { Batch, RowResult, RowStatus } from './rows.ts';

const COLUMNS = [
  'site',
  'content root',
  'author',
  'state',
  'outcome',
  'problem',
  'detail',
  'preview',
  'live',
  'cloud configuration',
  'technical account',
] as const;

export function resultsCsv(batch: Batch, results: readonly RowResult[]): string {
  const lines = results.map(({ row, status }) => {
    const { preview, live } = rowAddresses(batch, row);
    const { outcome, problem, detail } = messagesOf(status);
    return [
      row.siteName,
      row.contentRoot,
      authorOfRow(batch, row),
      status.state,
      outcome,
      problem,
      detail,
      preview,
      live,
      row.cloudConfiguration ?? '',
      row.technicalAccount,
    ];
  });
  return csvOf([COLUMNS, ...lines]);
}

/** The calls as a shell script. Tokens are shell variables, never values. `calls` may be planned ones. */
export function callsScript(
  service: string,
  rows: readonly { readonly row: { readonly siteName: string }; readonly calls: readonly Call[] }[],
): string {
  const all = rows.flatMap(({ calls }) => calls);
  const needed = [
    ...(all.some(({ target }) => target === 'service') ? [': "${TOKEN:?Set TOKEN to a token of the configuration service.}"'] : []),
    ...(all.some(({ target }) => target === 'authoring')
      ? [
          ': "${AUTHORING_TOKEN:?Set AUTHORING_TOKEN to a token of the authoring system.}"',
          ': "${CSRF_TOKEN:?Set CSRF_TOKEN to the token from /libs/granite/csrf/token.json.}"',
        ]
      : []),
  ];
  const sections = rows.filter(({ calls }) => calls.length > 0).map(({ row, calls }) => section(row.siteName, calls, service));
  return ['#!/bin/sh', 'set -eu', ...needed, ...sections, ''].join('\n');
}

function section(name: string, calls: readonly Call[], service: string): string {
  return [
    `\n# ${name.replaceAll(/[^\x20-\x7e]/g, ' ')}`,
    ...calls.map((call) => toCurl(call, service).replace('curl -X', 'curl -fsS -X')),
  ].join('\n');
}

function messagesOf(status: RowStatus) {
  const outcome = status.state === 'done' ? status.outcome : '';
  if (status.state !== 'failed') return { outcome, problem: '', detail: '' };
  const { data, failure } = status.problem;
  const reason = failure?.finding?.kind === 'blocked' ? failure.finding.reason : status.problem.reason;
  return { outcome, problem: reason, detail: data['detail'] ?? data['message'] ?? Object.values(data).join(' ') };
}

/**
 * A table for a spreadsheet (RFC 4180). Names and paths come from people: text that a spreadsheet would execute as a formula is marked as
 * text.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** With the full-width forms, which spreadsheets for Chinese and Japanese take for the same characters. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

import type { Response } from 'express';

/** What a write came to, as Sling reports it. */
export interface SlingOutcome {
  readonly status: number;
  readonly message: string;
  readonly path: string;
  readonly title: string;
  readonly created?: boolean;
  readonly changes?: readonly { readonly type: 'created' | 'modified' | 'deleted'; readonly argument: string }[];
}

/** JSON where the caller asks for it, a small HTML page otherwise. */
export function answerOutcome(response: Response, accept: string | undefined, outcome: SlingOutcome): void {
  response.status(outcome.status);
  if (outcome.created === true) response.set('location', outcome.path);
  if (accept?.includes('application/json') === true) {
    response.json({
      title: outcome.title,
      'status.code': outcome.status,
      'status.message': outcome.message,
      path: outcome.path,
      location: outcome.path,
      isCreate: outcome.created ?? false,
      changes: outcome.changes ?? [],
    });
    return;
  }
  const rows = [
    ['Status', `<div id="Status">${outcome.status}</div>`],
    ['Message', `<div id="Message">${escapeHtml(outcome.message)}</div>`],
    ['Path', `<div id="Path">${escapeHtml(outcome.path)}</div>`],
  ];
  response
    .type('html')
    .send(
      `<html><head><title>${escapeHtml(outcome.title)}</title></head><body><h1>${escapeHtml(outcome.title)}</h1><table><tbody>` +
        `${rows.map(([name, cell]) => `<tr><td>${name}</td><td>${cell}</td></tr>`).join('')}</tbody></table></body></html>`,
    );
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

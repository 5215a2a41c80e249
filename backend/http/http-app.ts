import { assistantEndpoints } from '@repoless/contract/assistant.ts';
import { type Endpoint, errorsOf } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import type { Express, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type AllowsOrigin, type AnsweringProgram, fillApp } from './every-answer.ts';
import { methodNotAllowed, mount, refuseConfigType, refuseRoute, type RequestGuards } from './mount.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './openapi-examples.ts';
import type { Call } from './parse-request.ts';
import { unknownPartCalls } from './table-operations.ts';

interface HttpApp<C> extends Omit<AnsweringProgram, 'publicAddress' | 'pagePolicy'> {
  readonly calls: readonly Call<C>[];
  readonly guards: RequestGuards<C>;
  /** Where people get a token. */
  readonly signIn?: string;
}

export function fillHttpApp<C extends object>(app: Express, { calls, guards, signIn = '/profile', ...program }: HttpApp<C>): void {
  const { ownOrigin } = guards;
  fillApp(app, { ...program, publicAddress: ownOrigin, pagePolicy: OWN_PAGES }, () => {
    app.use('/config', (request, _, next) => {
      refuseConfigType(request.originalUrl);
      next();
    });
    app.use(assistantEndpoints.serveAssistant.path, (request, _, next) => {
      refuseForeignPage(request, program.allowsOrigin, ownOrigin, 'may not call the tools for assistants');
      next();
    });
    // Any page could otherwise use up the authorizations and guesses of its visitors' addresses.
    app.use(sessionEndpoints.authorizeDevice.path, (request, _, next) => {
      refuseForeignPage(request, program.allowsOrigin, ownOrigin, 'may not sign in a device');
      next();
    });
    mountApiPage(app, ownOrigin, signIn);
    mount(app, [...calls, ...unknownPartCalls()], guards);
    app.use(refuseRoute);
  });
}

/**
 * Refuses with NOT_AUTHORIZED what a page of another origin sends, whatever its token: a name that now resolves to this server (DNS
 * rebinding) gives a page the service's own origin. The Model Context Protocol requires this for its address.
 */
function refuseForeignPage(request: IncomingMessage, allows: AllowsOrigin, ownOrigin: string, what: string): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === ownOrigin || allows(origin, request)) return;
  throw new Refusal('NOT_AUTHORIZED', `Pages of this origin ${what}. Ask the operator of the service to allow it.`);
}

const own = ["'self'"];
const OWN_PAGES = { 'script-src': own, 'style-src': own, 'connect-src': own, 'img-src': own, 'form-action': own };

/** Both color schemes, readable at any width. */
const PAGE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2rem; }
details { border-top: 1px solid GrayText; padding: 0.25rem 0; }
summary { cursor: pointer; padding: 0.25rem 0; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4.5em; font-weight: 700; }
form { padding: 0 1rem 1rem; }
label { display: block; font-weight: 600; }
input, textarea { width: 100%; box-sizing: border-box; font: inherit; padding: 0.25rem; }
textarea, pre, code { font-family: ui-monospace, monospace; }
pre { border: 1px solid GrayText; padding: 0.5rem; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
button { font: inherit; padding: 0.25rem 1rem; }
`;

/** Sends the form of a call and shows its answer. */
const PAGE_SCRIPT = `'use strict';

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input[data-place]')) {
    const { name, value } = input;
    if (input.dataset.place === 'query') {
      if (value !== '') query.set(name, value);
    } else {
      path = path.replace('{' + name + '}', encodeURIComponent(value)).replace('{' + name + '*}', value.split('/').map(encodeURIComponent).join('/'));
    }
  }
  return query.size > 0 ? path + '?' + query : path;
}

function requestOf(form) {
  const headers = { accept: 'application/json' };
  const token = document.getElementById('token').value.trim();
  if (token !== '') headers['x-auth-token'] = token;
  const body = form.querySelector('textarea');
  if (body !== null && body.value !== '') headers['content-type'] = body.dataset.media;
  return { method: form.dataset.method, headers, ...(body !== null && body.value !== '' && { body: body.value }) };
}

async function send(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const shown = form.querySelector('pre');
  shown.hidden = false;
  shown.textContent = 'Sending …';
  try {
    const answer = await fetch(addressOf(form), requestOf(form));
    const headers = [...answer.headers].map(([name, value]) => name + ': ' + value).join('\\n');
    shown.textContent = answer.status + ' ' + answer.statusText + '\\n' + headers + '\\n\\n' + (await answer.text());
  } catch (error) {
    shown.textContent = 'The service does not respond: ' + error.message;
  }
}

for (const form of document.querySelectorAll('form')) form.addEventListener('submit', send);
`;

/** Our own page to try the calls: no external host, and a policy without inline script or style. */
function mountApiPage(app: Express, address: string, signIn: string): void {
  let page: Buffer | undefined;
  const [script, style] = [Buffer.from(PAGE_SCRIPT), Buffer.from(PAGE_STYLE)];
  send(app, '/', 'text/html; charset=utf-8', () => (page ??= Buffer.from(renderPage(address, signIn))));
  send(app, '/api-page.js', 'text/javascript; charset=utf-8', () => script);
  send(app, '/api-page.css', 'text/css; charset=utf-8', () => style);
}

function send(app: Express, path: string, media: string, render: () => Buffer): void {
  app.route(path).all((request: Request, response: Response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(response, 'GET, HEAD, OPTIONS');
    const bytes = render();
    response.writeHead(200, { 'content-type': media, 'content-length': bytes.length }).end(bytes);
  });
}

function renderPage(address: string, signIn: string): string {
  const byTag = new Map<string, string[]>();
  for (const [id, row] of allEndpoints()) byTag.set(row.tag, [...(byTag.get(row.tag) ?? []), renderCall(id, row)]);
  const sections = [...byTag].map(([tag, calls]) => `<section><h2>${escape(tag)}</h2>${calls.join('\n')}</section>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Site configuration service: calls</title>
<link rel="stylesheet" href="/api-page.css">
<script src="/api-page.js" defer></script>
</head>
<body>
<main>
<h1>Site configuration service</h1>
<p>All operations of the service at <code>${escape(address)}</code>, to read about and to try.
The same as a document for tools: <a href="/openapi.json">openapi.json</a>;
the other addresses of the same calls: <a href="/openapi-aliases.json">openapi-aliases.json</a>;
its writes as dry runs: <a href="/openapi-dry-run.json">openapi-dry-run.json</a>. <a href="${escape(signIn)}">Sign in</a> to get a token.</p>
<p><label for="token">Token</label> <input id="token" type="password" autocomplete="off" spellcheck="false"></p>
${sections.join('\n')}
</main>
</body>
</html>`;
}

function renderCall(id: string, row: Endpoint): string {
  const fields = [
    ...Object.keys(row.params.shape).map((name) => renderField(id, 'path', name)),
    ...Object.keys(row.query.shape).map((name) => renderField(id, 'query', name)),
  ];
  const call = row.call === undefined ? '' : ` (call ${row.call})`;
  const codes = errorsOf(row).map((code) => `<code>${escape(code)}</code>`);
  return `<details>
<summary><span class="method">${row.method}</span> <code>${escape(row.path)}</code> <span>${escape(row.summary)}${call}</span></summary>
<form data-method="${row.method}" data-path="${escape(row.path)}">
<p>Permission: ${escape(row.permission)}</p>
<p>Answers: ${Object.keys(row.answers).join(', ')}. May be refused with ${codes.join(', ')}.</p>
${fields.join('\n')}
${renderBody(id, row)}
<p><button>Send ${row.method}</button></p>
<pre role="status" tabindex="0" aria-label="Answer" hidden></pre>
</form>
</details>`;
}

function renderField(id: string, kind: 'path' | 'query', name: string): string {
  const field = escape(`${id}-${kind}-${name}`);
  const value = kind === 'path' ? String(PARAMETER_EXAMPLES[name] ?? '') : '';
  const required = kind === 'path' ? ' required' : '';
  return `<p><label for="${field}">${escape(name)} <small>(${kind})</small></label>
<input id="${field}" data-place="${kind}" name="${escape(name)}" value="${escape(value)}" autocomplete="off"${required}></p>`;
}

function renderBody(id: string, { body }: Endpoint): string {
  const [media] = body?.media ?? [];
  if (media === undefined) return '';
  const example = BODY_EXAMPLES[id];
  const text = typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2);
  const field = escape(`${id}-body`);
  return `<p><label for="${field}">Body <small>(${escape(media)})</small></label>
<textarea id="${field}" name="body" data-media="${escape(media)}" rows="${Math.min(16, text.split('\n').length + 1)}" spellcheck="false">
${escape(media === 'application/json' || media === 'text/plain' ? text : '')}</textarea></p>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

import { ambiguousCharacter, mayLeaveFolder } from '@repoless/contract/addresses.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { type Context, unguessable } from '../../domain/context.ts';
import { createTally } from '../../domain/fair-share.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { DevicePace, DeviceSlots } from '../../sessions/device.ts';
import type { TokenClaims } from '../../sessions/identity.ts';
import type { Tokens } from '../../sessions/tokens.ts';
import type { Reply } from '../answer.ts';
import { isOwnRequest, presentedToken } from '../caller.ts';
import type { RequestHeaders } from '../parse-request.ts';
import type { IdentityProvider, TrustedIssuers } from '../../sessions/sign-in.ts';

/** Text that is already HTML; every other text is escaped when inserted. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A template whose values are escaped, except pieces of HTML. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  return new Html(strings.map((text, index) => text + printed(values[index] ?? '')).join(''));
}

export interface Page {
  readonly title: string;
  readonly main: Html;
  /** Runs with its own nonce; nothing else may run. */
  readonly script?: string;
  /** For tables: uses the full width of the window. */
  readonly wide?: true;
  /** The only address that its script may call. */
  readonly connectsTo?: string;
  readonly redirectTo?: string;
}

/** A page of the service: its text, and headers that allow nothing to run in it except its own script. Takes an unguessable `nonce`. */
export function printPage(page: Page, nonce: string): { body: string; headers: Readonly<Record<string, string>> } {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${page.redirectTo === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${page.redirectTo}" />`}
        <title>${page.title}</title>
        <style nonce="${nonce}">
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main${page.wide === true ? html` class="wide"` : ''}>
          <h1>${page.title}</h1>
          ${page.main}
        </main>
        ${
          page.script === undefined
            ? ''
            : html`<script nonce="${nonce}">
                ${new Html(page.script)};
              </script>`
        }
      </body>
    </html>`;
  const connects = page.connectsTo === undefined ? '' : `connect-src ${page.connectsTo}; `;
  const policy = `default-src 'none'; ${connects}style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // Without a referrer a browser sends its forms with `origin: null`, which matches no origin.
    'referrer-policy': 'same-origin',
  };
  return { body: text, headers };
}

/** A value inside a script: JSON that cannot end the script. */
export function scriptValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function printed(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((piece) => piece.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --text: #222; --quiet: #5a5a5a; --ground: #f3f4f6; --card: #fff; --line: #767676; --accent: #0b5cad; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eee; --quiet: #b5b5b5; --ground: #17191c; --card: #23262b; --line: #8f8f8f; --accent: #7db8f5; --on-accent: #10161d; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
main { max-width: 34rem; margin: 8vh auto; padding: 2rem; background: var(--card); border-radius: 12px; }
main.wide { max-width: 72rem; margin: 2vh auto; padding: clamp(1rem, 4vw, 2rem); }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.15rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt, .quiet { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-top: 1.5rem; }
button { font: inherit; padding: .5rem 1.1rem; border: 1px solid var(--accent); border-radius: 999px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.plain { background: transparent; color: var(--accent); }
input, textarea { font: inherit; width: 100%; padding: .5rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
textarea { font-family: ui-monospace, monospace; font-size: .85rem; resize: vertical; }
label { display: block; margin-top: 1rem; font-weight: 600; }
.code { font: 600 1.5rem ui-monospace, monospace; letter-spacing: .1em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

export interface SessionServices {
  readonly tokens: Tokens;
  readonly identityProvider: IdentityProvider;
  readonly trustedIssuers: TrustedIssuers;
  /** Seals sign-ins in progress, with keys that every node has. */
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  /** Name of the identity provider in addresses: `/auth/{idpName}/ack`. */
  readonly idpName: string;
  readonly publicAddress: string;
  readonly tallies: ReturnType<typeof sessionTallies>;
  readonly deviceSlots: DeviceSlots;
  readonly devicePace: DevicePace;
  /** Origins whose windows may receive a token. */
  readonly allowedOrigins: readonly string[];
  /** Browser extensions that may receive a token. */
  readonly extensionIds: readonly string[];
}

/** Browsers request pages explicitly; everything else, including any type, is answered as JSON. */
export function wantsPage(headers: RequestHeaders): boolean {
  return (headers['accept'] ?? '').includes('text/html');
}

/** The signed-in person, and the token. A cookie that another origin makes the browser send counts as none. */
export async function signedInBy(
  services: SessionServices,
  headers: RequestHeaders,
): Promise<{ token: string; claims: TokenClaims } | undefined> {
  const presented = presentedToken(headers);
  if (presented === undefined) return undefined;
  if (presented.credential === 'cookie' && !isOwnRequest(headers, services.publicAddress)) return undefined;
  const claims = await services.tokens.read(presented.token);
  return claims && { token: presented.token, claims };
}

export function isSecure(services: SessionServices): boolean {
  return services.publicAddress.startsWith('https:');
}

export function pageOutcome(context: Pick<Context, 'newId'>, page: Page, status = 200, headers: Reply['headers'] = {}): Reply {
  const printed = printPage(page, unguessable(context));
  return { status, body: printed.body, headers: { ...printed.headers, ...headers } };
}

/** A path of this service, as written and as a browser resolves it (`/..//elsewhere` becomes `//elsewhere`); otherwise undefined. */
export function ownPath(services: SessionServices, text: string | undefined): string | undefined {
  const [path = ''] = text?.split(/[?#]/, 1) ?? [];
  if (text === undefined || !/^\/(?![/\\])/.test(text) || mayLeaveFolder(path) || ambiguousCharacter(path) !== undefined) return undefined;
  const { origin } = new URL(services.publicAddress);
  const url = resolved(text, origin);
  if (url?.origin !== origin || url.pathname.startsWith('//')) return undefined;
  const found = `${url.pathname}${url.search}`;
  return resolved(found, origin)?.href === `${origin}${found}` ? found : undefined;
}

function resolved(text: string, origin: string): URL | undefined {
  return URL.canParse(text, origin) ? new URL(text, origin) : undefined;
}

/** Limits of actions without a token: each of these stores something, or is a guess. */
export function sessionTallies() {
  const { deviceAuthorizations, startsOfNetwork, codeGuesses } = LIMITS;
  const tally = (limit: number, sentence: string) => createTally({ limit, within: QUARTER_HOUR, sentence });
  const tooMany = (source: string, limit: number) =>
    `Too many device sign-ins were started from your ${source}: ${limit} in 15 minutes are allowed.`;
  return {
    /** By address. */
    deviceAuthorizations: tally(deviceAuthorizations, tooMany('address', deviceAuthorizations)),
    /** By the wider network of an address, because its owner has any number of addresses. */
    startsOfNetwork: tally(startsOfNetwork, tooMany('network', startsOfNetwork)),
    /** Invalid codes (RFC 8628, section 5.1), by address and by person. */
    guesses: tally(codeGuesses, 'Too many codes were wrong.'),
  };
}

const QUARTER_HOUR = 15 * 60 * 1000;

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
import { type Page, printPage } from './page.ts';
import type { IdentityProvider, TrustedIssuers } from '../../sessions/sign-in.ts';

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
  const { deviceAuthorizations, beginningsOfNetwork, codeGuesses } = LIMITS;
  const tally = (most: number, sentence: string) => createTally({ most, within: QUARTER_HOUR, sentence });
  const tooMany = (source: string, most: number) =>
    `Too many device sign-ins were started from your ${source}: ${most} in 15 minutes are allowed.`;
  return {
    /** By address. */
    deviceAuthorizations: tally(deviceAuthorizations, tooMany('address', deviceAuthorizations)),
    /** By the wider network of an address, because its owner has any number of addresses. */
    beginningsOfNetwork: tally(beginningsOfNetwork, tooMany('network', beginningsOfNetwork)),
    /** Invalid codes (RFC 8628, section 5.1), by address and by person. */
    guesses: tally(codeGuesses, 'Too many codes were wrong.'),
  };
}

const QUARTER_HOUR = 15 * 60 * 1000;

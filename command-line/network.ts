import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { lookup } from 'node:dns';
import { type Dispatcher, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { type CliContext, UsageProblem } from './cli-context.ts';

type Environment = CliContext['env'];

/**
 * Sends requests directly, or through the proxies that HTTPS_PROXY and HTTP_PROXY name, except to the hosts of NO_PROXY. Names below
 * `localhost` are this machine (RFC 6761), which Node's resolver may not know, and need no proxy.
 */
export function dispatcherOf(env: Environment): Dispatcher {
  const excluded = valueOf(env, 'NO_PROXY');
  return new EnvHttpProxyAgent({
    httpProxy: proxyOf(env, 'HTTP_PROXY')?.href ?? '',
    httpsProxy: proxyOf(env, 'HTTPS_PROXY')?.href ?? '',
    noProxy: excluded === '*' ? excluded : ['localhost', '127.0.0.1', '[::1]', excluded].join(),
    connect: {
      lookup: (host, options, callback) => {
        if (!/(^|\.)localhost$/i.test(host)) return lookup(host, options, callback);
        if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    },
  });
}

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/** Throws UsageProblem if the environment names a proxy that is not an address; it may contain a password, which is not shown. */
export function requireProxies(env: Environment): void {
  for (const name of PROXIES)
    if (valueOf(env, name) !== '' && proxyOf(env, name) === undefined) throw new UsageProblem(messages.usage.proxyInvalid(name));
}

function proxyOf(env: Environment, name: (typeof PROXIES)[number]): URL | undefined {
  const text = valueOf(env, name);
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text) : undefined;
}

/** Other programs read these variables in lower case first. */
function valueOf(env: Environment, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? '').trim();
}

export function fetchThrough(dispatcher: Dispatcher): typeof fetch {
  return asFetch((input: Parameters<typeof undiciFetch>[0], init: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher }),
  );
}

// Safe: undici's fetch is Node's built-in one; its types declare the same classes a second time.
function asFetch(fetching: unknown): typeof fetch {
  return fetching as typeof fetch;
}

/**
 * A fetch that says why a host gives no answer if the network is the cause: a certificate that this machine does not trust, or a proxy. Without
 * it, a person would only read of no answer.
 */
export function reportingNetwork<A extends readonly unknown[], T>(
  { env, err }: Pick<CliContext, 'env' | 'err'>,
  addressOf: (...args: A) => string,
  fetching: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  const reported = new Set<string>();
  return async (...args) =>
    await fetching(...args).catch((error: unknown) => {
      const url = new URL(addressOf(...args));
      const problem = networkProblem(env, url, error);
      if (problem !== undefined && !reported.has(url.host)) {
        reported.add(url.host);
        err(`${problem}\n`);
      }
      throw error;
    });
}

function networkProblem(env: Environment, { host, hostname, protocol }: URL, error: unknown): string | undefined {
  const [code, reason] = [systemCode(error), innermost(error)];
  if (UNTRUSTED.test(code)) return messages.untrusted(host, code);
  const name = PROXIES.find((one) => (one === 'HTTP_PROXY' || protocol === 'https:') && valueOf(env, one) !== '');
  if (name === undefined || THIS_MACHINE.test(hostname) || !NETWORK.test(code)) return undefined;
  return messages.throughProxy({ host, name, proxy: proxyOf(env, name)?.host ?? '', reason: reason?.message ?? String(error) });
}

/** Codes of Node and of undici. */
const NETWORK = /^(?:E[A-Z_]+|UND_ERR_\w+)$/;
const THIS_MACHINE = /^(?:(?:.*\.)?localhost|127\.0\.0\.1|\[::1\])$/i;

/** Codes of Node for a certificate or an issuer that is not accepted. */
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY/;

/** The code of the innermost error that has one, such as `ECONNREFUSED`; otherwise empty. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return systemCode(error.cause) || ('code' in error ? String(error.code) : '');
}

function innermost(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return innermost(error.cause) ?? error;
}

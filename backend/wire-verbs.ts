import type { HostDomains } from '#contract/addresses.ts';
import { apiKeyVerbs } from '#backend/domain/api-keys/api-key-verbs.ts';
import type { KnownKeys } from '#backend/domain/api-keys/known-keys.ts';
import { codeVerbs } from '#backend/domain/code/code-verbs.ts';
import type { CodeFiles, JobRunner } from '#backend/domain/code/ports.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { SecretBox } from '#backend/domain/secrets/secret-box.ts';
import type { IdentityProvider } from '#backend/domain/sessions/ports.ts';
import type { Tokens } from '#backend/domain/sessions/tokens.ts';
import { relayVerbs } from '#backend/http/authoring/relay-verbs.ts';
import type { TableVerbs } from '#backend/http/ports.ts';
import { serviceVerbs } from '#backend/http/service-verbs.ts';
import { sessionVerbs } from '#backend/http/session/session-verbs.ts';
import { tableVerbs } from '#backend/http/table-verbs.ts';
import { createAuthors } from '#backend/remote/authors.ts';
import { createIdentityProvider } from '#backend/remote/identity-provider.ts';
import type { Remote } from '#backend/remote/remote.ts';
import { createTrustedIssuers } from '#backend/remote/trusted-issuers.ts';
import type { Settings } from './config.ts';
import { VERSION } from './version.ts';

interface Services {
  readonly publicAddress: string;
  readonly hosts: HostDomains;
  readonly tokens: Tokens;
  readonly knownKeys: KnownKeys;
  readonly remote: Remote;
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly box: SecretBox;
  now(): Date;
  isStopping(): boolean;
}

/** An author that renders a page for the first time takes its time. */
const AUTHOR_LIMITS = { timeout: 20_000, sizeLimit: 10 * 1024 * 1024 };

/** The verbs that depend on the settings, together with those of the domain. */
export function wireVerbs(
  settings: Settings,
  { publicAddress, hosts, tokens, knownKeys, remote, runner, files, box, now, isStopping }: Services,
): TableVerbs {
  const info = {
    name: 'repoless' as const,
    version: VERSION,
    protocol: hosts.protocol,
    previewDomain: hosts.preview,
    liveDomain: hosts.live,
    codeHost: settings.CODE_HOST,
    codeHostRaw: settings.CODE_HOST_RAW,
    buildManagement: settings.BUILD_MANAGEMENT,
    repolessProjectType: settings.REPOLESS_PROJECT_TYPE,
    configurationTemplate: settings.CONFIGURATION_TEMPLATE,
    technicalAccountProperty: settings.TECHNICAL_ACCOUNT_PROPERTY,
    connector: settings.CONNECTOR,
    apiKeyLifetimeLimit: settings.API_KEY_LIFETIME_LIMIT,
  };
  return tableVerbs({
    ...sessionVerbs({
      tokens,
      identityProvider: identityProvider(settings, remote),
      trustedIssuers: createTrustedIssuers(remote, settings.TRUSTED_ISSUERS, now),
      idpName: settings.IDP_NAME,
      publicAddress,
      allowedOrigins: settings.ALLOWED_ORIGINS,
    }),
    ...relayVerbs({ authors: createAuthors(remote, AUTHOR_LIMITS), authorHosts: settings.AUTHOR_HOSTS }),
    ...codeVerbs({
      runner,
      files,
      box,
      webhookSecret: settings.GITHUB_WEBHOOK_SECRET,
      buildManagementKey: settings.BUILD_MANAGEMENT_KEY,
    }),
    ...apiKeyVerbs({
      tokens,
      known: knownKeys,
      lifetime: { usual: settings.API_KEY_LIFETIME, longest: settings.API_KEY_LIFETIME_LIMIT },
    }),
    ...serviceVerbs(info, publicAddress, isStopping),
  });
}

function identityProvider(settings: Settings, remote: Remote): IdentityProvider {
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: secret, IDP_AUTHORING_AUDIENCE: audience } = settings;
  if (issuer === undefined || clientId === undefined) return { begin: noIdentityProvider, finish: noIdentityProvider };
  return createIdentityProvider(remote, {
    issuer,
    clientId,
    clientSecret: secret.reveal(),
    ...(audience !== undefined && { authoringResource: audience }),
  });
}

async function noIdentityProvider(): Promise<never> {
  throw new Refusal(
    'IDENTITY_PROVIDER_UNREACHABLE',
    'No identity provider is set up here. Set IDP_ISSUER, IDP_CLIENT_ID and IDP_CLIENT_SECRET.',
  );
}

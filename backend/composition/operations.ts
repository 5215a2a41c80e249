import type { HostDomains } from '@repoless/contract/addresses.ts';
import { apiKeyOperations } from '../access/api-key-operations.ts';
import { siteTokenOperations } from '../access/site-token-operations.ts';
import { checkOperations } from '../checks/check-operations.ts';
import type { CheckRounds } from '../checks/check-rounds.ts';
import { codeOperations } from '../code/rules/code-operations.ts';
import type { BranchProbe, CodeFiles, JobRunner } from '../code/rules/ports.ts';
import { operatorsOf, serviceInfo, type Settings } from '../config.ts';
import { createPathProbe } from '../delivery/answer-path.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { eventOperations } from '../events/rules/event-operations.ts';
import { proxyOperations } from '../http/authoring-proxy.ts';
import { operatorOperations } from '../http/operator-operations.ts';
import { type ProgramState, serviceOperations } from '../http/service-operations.ts';
import { sessionOperations } from '../http/session/session-operations.ts';
import { type TableOperations, tableOperations } from '../http/table-operations.ts';
import { getServiceState, type ProgramFacts } from '../operators/get-service-state.ts';
import { createAuthors } from '../remote/authors.ts';
import { createIdentityProvider } from '../remote/identity-provider.ts';
import type { Remote } from '../remote/remote.ts';
import { createTrustedIssuers } from '../remote/trusted-issuers.ts';
import { rolloutOperations } from '../rollouts/rules/rollout-operations.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { IdentityProvider } from '../sessions/identity.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { statusOperations } from '../sites/get-status.ts';
import type { Assistant } from './assistant.ts';
import { mailRules } from './background.ts';
import { composePages } from './pages.ts';

interface Services {
  readonly publicAddress: string;
  readonly hosts: HostDomains;
  readonly tokens: Tokens;
  /** The client for hosts that tenants name, and for the operator's partners. */
  readonly remote: Remote;
  readonly partners: Remote;
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly look: BranchProbe;
  readonly box: SecretBox;
  readonly checks: Pick<CheckRounds, 'begin'>;
  readonly assistant: Pick<Assistant<Context>, 'serveAssistant'>;
  wakeTelling(): void;
  wakeRollouts(rollout: string): void;
  now(): Date;
  readonly state: ProgramState;
  readonly program: ProgramFacts;
}

/** Maximum bytes of a response of the authoring system. */
const AUTHOR_SIZE_LIMIT = 10 * 1024 * 1024;

/** The operations that depend on the settings, together with those of the domain. */
export function composeOperations(
  settings: Settings,
  {
    publicAddress,
    hosts,
    tokens,
    remote,
    partners,
    runner,
    files,
    look,
    box,
    checks,
    assistant,
    wakeTelling,
    wakeRollouts,
    now,
    state,
    program,
  }: Services,
): TableOperations {
  return tableOperations({
    ...sessionOperations({
      tokens,
      identityProvider: identityProvider(settings, partners),
      trustedIssuers: createTrustedIssuers(partners, settings.TRUSTED_ISSUERS, now),
      box,
      idpName: settings.IDP_NAME,
      publicAddress,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      extensionIds: settings.EXTENSION_IDS,
    }),
    ...composeProxy(settings, remote),
    ...codeOperations({
      runner,
      files,
      look,
      webhookSecret: settings.GITHUB_WEBHOOK_SECRET,
      buildManagementKey: settings.BUILD_MANAGEMENT_KEY,
    }),
    ...apiKeyOperations({
      tokens,
      lifetime: { usual: settings.API_KEY_LIFETIME, longest: settings.API_KEY_LIFETIME_LIMIT },
    }),
    ...siteTokenOperations(tokens),
    ...eventOperations({ mail: mailRules(settings), wake: wakeTelling }),
    ...statusOperations({ files, look: createPathProbe({ code: files, pages: composePages(settings, remote) }), hosts, publicAddress }),
    serveAssistant: assistant.serveAssistant,
    ...checkOperations(checks),
    ...rolloutOperations({ wake: wakeRollouts }),
    ...serviceOperations(serviceInfo(settings, hosts), publicAddress, state),
    ...operatorOperations<Context>({
      publicAddress,
      operators: operatorsOf(settings),
      state: (context) => getServiceState(context, program),
    }),
  });
}

export function composeProxy(
  { AUTHOR_TIMEOUT, AUTHOR_HOSTS: authorHosts }: Settings,
  remote: Remote,
  siteHosts?: HostDomains,
): ReturnType<typeof proxyOperations> {
  const authors = createAuthors(remote, { timeout: AUTHOR_TIMEOUT * 1000, sizeLimit: AUTHOR_SIZE_LIMIT, goesOn: true });
  return proxyOperations({ authors, authorHosts, ...(siteHosts === undefined ? {} : { siteHosts }) });
}

function identityProvider(settings: Settings, remote: Remote): IdentityProvider {
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: secret, IDP_AUTHORING_AUDIENCE: audience } = settings;
  if (issuer === undefined || clientId === undefined) return { begin: noIdentityProvider, finish: noIdentityProvider };
  return createIdentityProvider(remote, {
    issuer,
    clientId,
    clientSecret: secret.reveal(),
    ...(audience !== undefined && { authoringResource: audience }),
    ...(settings.IDP_DOMAINS.length > 0 && { domains: settings.IDP_DOMAINS }),
  });
}

async function noIdentityProvider(): Promise<never> {
  throw new Refusal(
    'IDENTITY_PROVIDER_UNREACHABLE',
    'No identity provider is set up here. Set IDP_ISSUER, IDP_CLIENT_ID and IDP_CLIENT_SECRET.',
  );
}

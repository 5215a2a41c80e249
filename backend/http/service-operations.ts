import type { ErrorCode } from '@repoless/contract/errors.ts';
import type { Health, serviceEndpoints, ServiceInfo } from '@repoless/contract/service.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reply } from './answer.ts';
import { aliasesDocument, type describedCalls, dryRunDocument, lazily, openApiDocument } from './openapi.ts';

/** Calls that describe the deployment itself. Takes the calls in its OpenAPI documents, if it does not offer the entire table. */
export function serviceOperations(
  info: ServiceInfo,
  publicAddress: string,
  state: ProgramState,
  calls?: ReturnType<typeof describedCalls>,
): Readonly<Record<keyof typeof serviceEndpoints, Probe>> {
  const { live, ready, health } = probeOperations(state);
  const openApi = lazily(() => openApiDocument(publicAddress, info.version, calls));
  const aliases = lazily(() => aliasesDocument(publicAddress, info.version, calls));
  const dryRun = lazily(() => dryRunDocument(publicAddress, info.version, calls));
  return {
    getService: async () => ({ status: 200, body: info }),
    getLive: live,
    getReady: ready,
    getHealth: health,
    getOpenApi: async () => ({ status: 200, body: openApi() }),
    getOpenApiAliases: async () => ({ status: 200, body: aliases() }),
    getOpenApiDryRun: async () => ({ status: 200, body: dryRun() }),
  };
}

interface Storage {
  ping(): Promise<unknown>;
}

export interface ProgramState {
  /** At the start of a sentence, e.g. `The service`. */
  readonly title: string;
  /** It is ending, or about to: it must get no new work. */
  isLeaving(): boolean;
  isOverloaded(): boolean;
}

type Probe = (context: { readonly store: Storage }) => Promise<Reply>;

/** The operations of the calls by which a program is supervised (docs/contract.md 2.12). */
export function probeOperations(state: ProgramState): { readonly live: Probe; readonly ready: Probe; readonly health: Probe } {
  const health: Probe = ({ store }) => healthOf(state, store);
  return {
    live: async () => ({ status: 200, body: { status: 'live' } }),
    ready: async (context) => (state.isOverloaded() ? overloaded(state) : await health(context)),
    health,
  };
}

/** Whether a program accepts work. "Not ready" has the headers of an error; its body has the same form as when it is ready. */
async function healthOf({ title, isLeaving }: ProgramState, storage: Storage): Promise<Reply> {
  if (isLeaving()) return notReady({ status: 'stopping' }, 'SHUTTING_DOWN', `${title} is stopping.`, { connection: 'close' });
  try {
    await storage.ping();
    return { status: 200, body: { status: 'ready' } satisfies Health };
  } catch (error) {
    const problem = error instanceof Refusal ? error.message : 'The storage does not respond.';
    const code = error instanceof Refusal ? error.code : 'STORAGE_UNAVAILABLE';
    return notReady({ status: 'failing', problem }, code, problem);
  }
}

function overloaded({ title }: ProgramState): Reply {
  return notReady({ status: 'overloaded' }, 'OVERLOADED', `${title} is overloaded.`, { 'retry-after': '1' });
}

function notReady(body: Health, code: ErrorCode, sentence: string, more: Readonly<Record<string, string>> = {}): Reply {
  return { status: 503, body, headers: { ...more, 'x-error': sentence, 'x-error-code': code } };
}

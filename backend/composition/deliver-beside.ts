import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import { createCodeFiles } from '#backend/code/code-files.ts';
import { createDelivery } from '#backend/delivery/deliver.ts';
import { serviceHosts } from '#backend/delivery/service-host.ts';
import { createApiKeyCache } from '#backend/domain/api-keys/api-key-cache.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { createSecretHashCache } from '#backend/domain/secrets/secret-hash-cache.ts';
import { createTokens } from '#backend/domain/sessions/tokens.ts';
import { extensionOrigin, listedOrOwnOrigins } from '#backend/http/cors.ts';
import { answerError } from '#backend/http/answer-error.ts';
import { CARRIED_ADDRESS, clientAddress } from '#backend/http/client-address.ts';
import { createLoadShedding } from '#backend/http/load-shedding.ts';
import { createPlainServer } from '#backend/http/plain-server.ts';
import { createPassOn } from '#backend/processes/pass-on.ts';
import { createLookups } from '#backend/remote/few-lookups.ts';
import { createRemote } from '#backend/remote/remote.ts';
import { openReadingStore } from '#backend/storage/open-reading-store.ts';
import type { ReadingStoreOptions } from '#backend/storage/open-reading-store.ts';
import { openSigningKeys } from '#backend/storage/signing-key-file.ts';
import { addressesOf } from '../config.ts';
import type { Settings } from '../config.ts';
import { deliveryFigures } from './figures.ts';
import type { Measuring } from '../measure.ts';
import { serve } from '../server.ts';
import type { ServerHandle } from '../server.ts';
import { openCodePlace } from './code-place.ts';
import { composePages } from './pages.ts';
import { REMOTE_LIMITS, TITLE } from './program.ts';

export interface DeliveryBeside {
  /** Answers what comes to this server, which listens already; `adopt` takes a connection that came elsewhere. */
  share(server: Server, adopted: (adopt: Adopt) => void): Promise<void>;
  /** Each connection's next request is its last. */
  leave(): void;
  /** No connections come any more. What is not finished `grace` milliseconds later is cut off. */
  stop(grace: number): Promise<void>;
}

type Adopt = Parameters<Parameters<typeof serve>[1]['open']>[1];

interface Given {
  /** That the service listens on. */
  readonly port: number;
  /** Where it takes what is for itself. */
  readonly socket: string;
  readonly writer: ReadingStoreOptions['writer'];
  readonly measuring: Pick<Measuring, 'log' | 'add'>;
}

/** The preview and live hosts in a process of their own: what is for the service itself is passed on to it. */
export async function deliverBeside(settings: Settings, { port, socket, writer, measuring }: Given): Promise<DeliveryBeside> {
  const { log } = measuring;
  const now = () => new Date();
  const { DATA_DIR: dataDir, DATABASE_URL, CODE_HOST, CODE_HOST_API, CODE_HOST_RAW, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const databaseUrl = DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL.reveal() };
  const store = await openReadingStore({ dataDir, ...databaseUrl, writer, log: log.failure });
  const place = await openCodePlace(settings.CODE_STORE, settings, {
    blobs: store.blobs,
    failed: (error) => log.failure('CODE_STORE', error),
  });
  const lookups = createLookups([CODE_HOST, CODE_HOST_API, CODE_HOST_RAW]);
  const remote = createRemote({ internalAddresses, resolve: lookups.tenants, ...REMOTE_LIMITS });
  const { publicAddress, hosts } = addressesOf(settings, port);
  const tokens = createTokens({
    keys: await openSigningKeys(settings.SIGNING_KEY_FILE),
    issuer: publicAddress,
    lifetime: settings.TOKEN_LIFETIME,
    store,
    apiKeys: createApiKeyCache({ store, now }),
    now,
  });
  const addressOf = clientAddress(settings.TRUST_PROXY);
  const isServiceHost = serviceHosts(publicAddress, hosts);
  const shedding = createLoadShedding({
    title: TITLE,
    limit: settings.OVERLOAD_DELAY,
    allowsOrigin: listedOrOwnOrigins([...settings.ALLOWED_ORIGINS, ...settings.EXTENSION_IDS.map(extensionOrigin)], hosts),
    isServiceHost,
    newId: randomUUID,
    log,
    clientAddress: addressOf,
  });
  let server: ServerHandle | undefined;
  const delivery = createDelivery({
    store,
    domains: hosts,
    code: createCodeFiles(store.code, place),
    pages: composePages(settings, remote),
    guard: { tokens, secrets: createSecretHashCache({ store, now }) },
    isServiceHost,
    isStopping: () => server?.isStopping() === true,
    failed(error) {
      const requestId = randomUUID();
      log.failure(requestId, error);
      return requestId;
    },
    clientAddress: addressOf,
    refused: (line) => log.request({ requestId: randomUUID(), ...line }),
  });
  measuring.add(deliveryFigures({ store, delivery, isOverloaded: shedding.isOverloaded }));
  const passOn = createPassOn({
    socketPath: socket,
    addressHeader: CARRIED_ADDRESS,
    refuse: (request, response) => answerError(request, response, notThere(), { requestId: randomUUID(), log }),
  });

  return {
    async share(listening, adopted) {
      server = await serve(
        { create: createPlainServer, rest: passOn.pass, restContinues: true },
        { open: (own, adopt) => takeOver(own, listening, () => adopted(adopt)) },
        { log },
      );
      server.open((request, response) => shedding.refuse(request, response) || delivery.deliver(request, response));
    },
    leave: () => server?.leave(),
    async stop(grace) {
      await server?.stop({ delay: 0, grace });
      passOn.close();
      delivery.close();
      shedding.close();
      await remote.close();
      await place.close();
      await store.close();
    },
  };

  function takeOver(own: Server, listening: Server, ready: () => void): Promise<number> {
    return new Promise((resolve, reject) => {
      own.once('error', reject).listen(listening, () => resolve(port));
      ready();
    });
  }
}

/** The service ends, or is about to be ended for not responding. */
function notThere(): Refusal {
  return new Refusal('SHUTTING_DOWN', `${TITLE} is stopping. Try again in a moment.`, { retryAfter: 1 });
}

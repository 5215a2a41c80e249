import express from 'express';
import { faultSwitch } from '../faults.ts';
import { type GrownSize, growTree } from '../seed/fleet-roots.ts';
import { seedContent } from '../seed/seed-content.ts';
import { listen, type Running } from '../web.ts';
import { openContentStore, type PlantedResource, BASE_ENVIRONMENT } from './content-store.ts';
import { bearerReader, csrfTokens } from './credentials.ts';
import { authoringRoutes } from './routes.ts';

export interface AuthoringSystemOptions {
  readonly port: number;
  /** Folder of the content; a new folder is seeded. */
  readonly dataDir: string;
  /** Issuer of the identity provider, whose tokens for the audience `authoring` are accepted. */
  readonly identityProvider: string;
  /** The domain that the Edge Delivery configurations name as edge host. */
  readonly edgeHost?: string;
  /** A tree of any size next to the seed, below `/content/grown`, to try out scale. */
  readonly grown?: GrownSize;
  /** The number of sites in addition to the seed, to try out an organization of hundreds. */
  readonly fleet?: number;
  /** Content instead of the seed. */
  readonly content?: Iterable<PlantedResource>;
}

/** The stand-in of the authoring system: two environments on one port, told apart by host. Its address is that of the base environment. */
export async function startAuthoringSystem(options: AuthoringSystemOptions): Promise<Running> {
  const store = openContentStore(options.dataDir);
  if (store.isEmpty()) {
    store.plant(options.content ?? seedContent(options.edgeHost ?? 'live.localhost:4000', options.fleet));
    if (options.grown !== undefined) store.plant(growTree(options.grown));
  }
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(authoringRoutes({ store, readBearer: bearerReader(options.identityProvider), csrf: csrfTokens() }));
  const running = await listen(options.port, app);
  return {
    address: running.address.replace('//localhost', `//author-${BASE_ENVIRONMENT}.authoring.localhost`),
    stop: async () => {
      faults.stop();
      await running.stop();
      store.close();
    },
  };
}

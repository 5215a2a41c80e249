import access from './en/access.json' with { type: 'json' };
import firstView from './en/first-view.json' with { type: 'json' };
import history from './en/history.json' with { type: 'json' };
import service from './en/service.json' with { type: 'json' };
import simulation from './en/simulation.json' with { type: 'json' };
import siteCheck from './en/site-check.json' with { type: 'json' };
import sites from './en/sites.json' with { type: 'json' };
import sync from './en/sync.json' with { type: 'json' };
import { bindMessages } from './format-message.ts';
import type { MessagesOf } from './language.ts';

type Needed = 'access' | 'first-view' | 'history' | 'service' | 'simulation' | 'site-check' | 'sites' | 'sync';

/** For the command line, whose output is the same in every language of the machine. */
export const english: { readonly [P in Needed]: MessagesOf<P> } = {
  access: bindMessages(access, 'en'),
  'first-view': bindMessages(firstView, 'en'),
  history: bindMessages(history, 'en'),
  service: bindMessages(service, 'en'),
  simulation: bindMessages(simulation, 'en'),
  'site-check': bindMessages(siteCheck, 'en'),
  sites: bindMessages(sites, 'en'),
  sync: bindMessages(sync, 'en'),
};

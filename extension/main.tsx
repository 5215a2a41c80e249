import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { onAddress } from './host/address-state.ts';
import { fitLocale } from './host/host.ts';
import { parseRoute } from './routes.ts';

/** The route decides what is loaded: the host's hidden frame needs no screens. */
async function start(): Promise<void> {
  const framed = window.parent !== window;
  const readRoute = () => parseRoute(location.hash, location.search, framed);
  if (readRoute().view === 'register') return (await import('./register.ts')).registerExtension();
  // The host's locale is known later and is usually the browser's: load its messages together with the screens.
  void createCatalogues()(fitLocale(navigator.language)).prepare();
  const [{ createRoot }, { createRenderer }] = await Promise.all([import('react-dom/client'), import('./render-route.tsx')]);
  const element = document.getElementById('root');
  if (element === null) return;
  const show = createRenderer(createRoot(element), framed);
  show(readRoute());
  onAddress(() => show(readRoute()));
}

void start();
